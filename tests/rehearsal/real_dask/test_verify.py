"""End to end: `daskfleet verify` on a fleet that runs, in order and broken on purpose."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from rehearsal.dask_pods.model import RUNS_IN
from tests.daskfleet.team.verify.environments import OLDER_DISTRIBUTED, environment, own_versions
from tests.rehearsal.end_to_end.kubectl import kubectl
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal
from tests.rehearsal.end_to_end.shell import typed
from tests.rehearsal.end_to_end.waiting import until

pytestmark = pytest.mark.rehearsal

TEAM = "climate"
PATIENCE_S = 300
"""The command itself takes seconds on a busy machine, and a worker that has lost its scheduler
twice starts again after twenty."""

Checks = dict[str, dict[str, str]]


def test_a_fleet_in_order_passes_and_gpus_are_not_measured(fleet: RunningRehearsal) -> None:
    status, teams = verified(fleet)

    assert status == 0, teams
    assert teams.keys() == {"climate", "genomics"}
    for checks in teams.values():
        unmeasured = {name for name, each in checks.items() if each["outcome"] == "not measured"}
        assert {"GPUs", "CUDA and driver", "computation on GPUs"} <= unmeasured
        assert {each["outcome"] for each in checks.values()} == {"ok", "not measured"}
    assert teams[TEAM]["connection"]["seen"] == "the scheduler and 2 workers answer"


@pytest.mark.soak(every=3)
def test_a_worker_from_another_image_differs_in_versions_alone(fleet: RunningRehearsal) -> None:
    older = dict.fromkeys(("dask", "distributed"), OLDER_DISTRIBUTED)
    python = environment(Path(sys.executable), own_versions() | older)
    template = {"metadata": {"annotations": {RUNS_IN: str(python)}}}
    with edited(fleet, worker_deployment(fleet), template):
        failure = the_only_failure(fleet, "versions")

    assert f"distributed: {OLDER_DISTRIBUTED} in worker climate-default-worker" in failure["seen"]
    assert "must run one image" in failure["next_step"]


@pytest.mark.soak(every=3)
def test_a_scheduler_on_the_wrong_node_is_on_the_wrong_pool_alone(fleet: RunningRehearsal) -> None:
    wrong = next(node for node in fleet.see().nodes.values() if node.pool == "a100-fixed")
    template = {"spec": {"nodeName": wrong.name}}
    with edited(fleet, f"deployment/{TEAM}-scheduler", template):
        failure = the_only_failure(fleet, "pods on their pools")

    assert f"is on pool a100-fixed (node {wrong.name})" in failure["seen"]
    assert "`daskfleet drift`" in failure["next_step"]


def test_a_worker_without_its_resource_fails_in_resources_alone(fleet: RunningRehearsal) -> None:
    name = worker_deployment(fleet)
    live = json.loads(kubectl(fleet, "get", name, "--namespace", TEAM, "--output", "json"))
    (container,) = live["spec"]["template"]["spec"]["containers"]
    arguments: list[str] = container["args"]
    at = arguments.index("--resources")
    without = {"name": container["name"], "args": arguments[:at] + arguments[at + 2 :]}
    template = {"spec": {"containers": [without]}}
    with edited(fleet, name, template):
        failure = the_only_failure(fleet, "resources")

    assert failure["seen"] == f"worker {name.rpartition('/')[2]} has none"
    assert "delete the worker's Deployment and run `pulumi up`" in failure["next_step"]


def verified(fleet: RunningRehearsal, *team: str) -> tuple[int, dict[str, Checks]]:
    """Run the command; return its exit status and the checks by team and name."""
    done = typed(fleet, sys.executable, "-m", "daskfleet", "verify", *team, "--json")
    assert done.returncode in {0, 3}, done.stderr
    teams = json.loads(done.stdout)["teams"]
    return done.returncode, {
        each["team"]: {check["name"]: check for check in each["checks"]} for each in teams
    }


def the_only_failure(fleet: RunningRehearsal, name: str) -> dict[str, str]:
    """Wait until exactly this check fails: workers take seconds to find another scheduler."""
    seen: dict[str, dict[str, str]] = {}

    def is_alone() -> bool:
        status, teams = verified(fleet, TEAM)
        checks = teams[TEAM].values()
        seen.clear()
        seen.update({each["name"]: each for each in checks if each["outcome"] == "failed"})
        return status == 3 and seen.keys() == {name}

    try:
        until(is_alone, patience_s=PATIENCE_S)
    except AssertionError:
        print(json.dumps(seen, indent=2))  # noqa: T201 - for the failing test
        raise
    return seen[name]


def worker_deployment(fleet: RunningRehearsal) -> str:
    """Return the first of the team's workers as kubectl names it."""
    label = f"dask.org/workergroup-name={TEAM}-default"
    listed = kubectl(fleet, "get", "deployments", "--namespace", TEAM, "-l", label, "--output=name")
    return min(listed.split()).replace("deployment.apps/", "deployment/")


@contextmanager
def edited(fleet: RunningRehearsal, deployment: str, template: dict[str, Any]) -> Iterator[None]:
    """Edit a Deployment's pods by hand, and take that back.

    The old pod goes first: the team's quota has no GPU for two.
    """
    here = ("--namespace", TEAM)
    recreate = {"type": "Recreate", "rollingUpdate": None}
    patch = json.dumps({"spec": {"strategy": recreate, "template": template}})
    fleet.touched()
    kubectl(fleet, "patch", deployment, *here, "--type=strategic", "--patch", patch)
    try:
        kubectl(fleet, "rollout", "status", deployment, *here, "--timeout=180s")
        yield
    finally:
        kubectl(fleet, "rollout", "undo", deployment, *here)
        kubectl(fleet, "rollout", "status", deployment, *here, "--timeout=180s")
        until(lambda: verified(fleet, TEAM)[0] == 0, patience_s=PATIENCE_S)
    fleet.seen_as_declared()
