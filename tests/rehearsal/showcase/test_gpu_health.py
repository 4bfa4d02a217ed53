"""End to end: a GPU gets sick, by the commands of docs/health.md, and is whole again."""

import asyncio
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from distributed import Client

from daskfleet.platform.doctor.ask_nodes import gpus
from daskfleet.platform.doctor.model import Finding
from daskfleet.settings.stack import Stack
from rehearsal.report.fleet_state import Pod
from tests.project import PROJECT_DIR
from tests.rehearsal.end_to_end.connect_command import connected
from tests.rehearsal.end_to_end.kubectl import kubectl
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal, team
from tests.rehearsal.end_to_end.shell import shell_of, typed
from tests.rehearsal.end_to_end.waiting import until
from tests.setting_changes import BASE
from tests.tiers.long_files import LONG

pytestmark = LONG

TEAM = "chemistry"
WORKERS = 3
"""A node of the pool has two GPUs, so they are on two nodes at least."""

VALUE = b"what nobody else has" * 1000
DRILL = ("$ kubectl patch node NODE --subresource=status -p '", "'")


@pytest.fixture
def guarded(showcase_stage: RunningRehearsal) -> Iterator[RunningRehearsal]:
    """The showcase with workers on several nodes and somebody who looks after their GPUs."""
    settings = showcase_stage.settings()
    settings["daskfleet:gpu_health"] = {}
    team(settings, TEAM)["workers"] = WORKERS
    del team(settings, TEAM)["idle"]
    showcase_stage.ensure_as_declared(settings)
    yield showcase_stage
    showcase_stage.touched()
    for each in nodes(showcase_stage):
        name, conditions = each["metadata"]["name"], each["status"]["conditions"]
        if "XidCriticalError" in {condition["type"] for condition in conditions}:
            kubectl(showcase_stage, "patch", "node", name, "--subresource=status", "-p", drill()[1])
        if each["spec"].get("unschedulable"):
            kubectl(showcase_stage, "uncordon", name)
            kubectl(showcase_stage, "annotate", "node", name, "health.daskfleet/drained-since-")


def test_a_worker_leaves_a_sick_gpu_with_its_results_and_the_node_comes_back(
    guarded: RunningRehearsal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sickens, heals = drill()
    with (
        connected(guarded, TEAM, tmp_path) as connection,
        Client(connection.address, timeout=60) as client,
    ):
        client.wait_for_workers(WORKERS, timeout=60)
        leaving = loneliest(workers(guarded))
        address = address_of(client, leaving)
        future = client.scatter(VALUE, workers=[address], hash=False)

        kubectl(guarded, "patch", "node", leaving.node, "--subresource=status", "-p", sickens)

        until(lambda: moved_from(guarded, leaving), otherwise=lambda: seen(guarded))
        assert cordoned(guarded) == [leaving.node]
        assert future.result(timeout=30) == VALUE
        client.wait_for_workers(WORKERS, timeout=60)

    (loss,) = [each for each in status(guarded)["losses"] if each["pod"] == leaving.name]
    assert f"GPU of node {leaving.node}: XID 79" in loss["why"]
    assert "what it held was moved to other workers" in loss["why"]
    note = node(guarded, leaving.node)["metadata"]["annotations"]
    assert note["health.daskfleet/why"] == "XID 79"
    (finding,) = doctors_findings(guarded, monkeypatch)
    assert finding.subject == f"node {leaving.node}"
    assert finding.there.startswith("XID 79, drained since ")

    kubectl(guarded, "patch", "node", leaving.node, "--subresource=status", "-p", heals)

    until(lambda: cordoned(guarded) == [], otherwise=lambda: seen(guarded))
    annotations = node(guarded, leaving.node)["metadata"].get("annotations", {})
    assert "health.daskfleet/drained-since" not in annotations


def drill() -> tuple[str, str]:
    """Return the two patches of the page: one makes a GPU sick, one makes it whole."""
    before, after = DRILL
    page = (PROJECT_DIR / "docs" / "health.md").read_text("utf-8")
    parts = [part.partition(after)[0] for part in page.split(before)[1:]]
    assert len(parts) == 2
    return parts[0], parts[1]


def workers(fleet: RunningRehearsal) -> list[Pod]:
    """Return the team's workers."""
    return [pod for pod in fleet.dask_pods(TEAM).values() if pod.role == "worker"]


def loneliest(pods: list[Pod]) -> Pod:
    """Return one of the node with the fewest."""
    on_node = Counter(pod.node for pod in pods)
    return min(pods, key=lambda pod: (on_node[pod.node], pod.name))


def address_of(client: Client, pod: Pod) -> str:
    """Return the address of the worker in a pod."""
    found: dict[str, dict[str, Any]] = client.scheduler_info(n_workers=-1)["workers"]
    (address,) = [a for a, told in found.items() if pod.name.startswith(f"{told['name']}-")]
    return address


def moved_from(fleet: RunningRehearsal, pod: Pod) -> bool:
    """Whether the pod has gone, and all workers are ready elsewhere."""
    now = workers(fleet)
    return (
        pod.uid not in {each.uid for each in now}
        and pod.node not in {each.node for each in now}
        and len([each for each in now if each.is_ready]) == WORKERS
    )


def cordoned(fleet: RunningRehearsal) -> list[str]:
    """Return the nodes that take no pods."""
    return [n["metadata"]["name"] for n in nodes(fleet) if n["spec"].get("unschedulable")]


def nodes(fleet: RunningRehearsal) -> list[dict[str, Any]]:
    """Return all nodes."""
    found: list[dict[str, Any]] = json.loads(kubectl(fleet, "get", "nodes", "-o", "json"))["items"]
    return found


def node(fleet: RunningRehearsal, name: str) -> dict[str, Any]:
    """Return a node."""
    found: dict[str, Any] = json.loads(kubectl(fleet, "get", "node", name, "-o", "json"))
    return found


def status(fleet: RunningRehearsal) -> dict[str, Any]:
    """Return what `daskfleet status` says of the team."""
    done = typed(fleet, sys.executable, "-m", "daskfleet", "status", TEAM, "--json")
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def doctors_findings(fleet: RunningRehearsal, monkeypatch: pytest.MonkeyPatch) -> list[Finding]:
    """Return what `daskfleet doctor` says of the nodes; it reads no rehearsal's stack file."""
    shell = shell_of(fleet)
    with monkeypatch.context() as there:
        for name, value in shell.items():
            there.setenv(name, value)
        stack = Stack.model_validate(BASE)
        return asyncio.run(gpus(stack, name=shell["PULUMI_STACK"], project_dir=PROJECT_DIR))


def seen(fleet: RunningRehearsal) -> str:
    """What a failure shows: the workers, and what the controller says."""
    logs = fleet.workspace.logs_dir.rglob("*gpu-health*")
    said = "".join(log.read_text("utf-8", errors="replace") for log in logs if log.is_file())
    return f"{workers(fleet)}\n{cordoned(fleet)}\n{said[-3000:]}"
