"""End to end: what a member is told of the own team, with a kubeconfig and nothing of Pulumi."""

import json
import operator
import os
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from distributed import Client

from tests.rehearsal.end_to_end.connect_command import connected
from tests.rehearsal.end_to_end.kubectl import kubectl
from tests.rehearsal.end_to_end.member_login import environment_of
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal
from tests.rehearsal.end_to_end.shell import typed
from tests.rehearsal.end_to_end.waiting import until
from tests.rehearsal.real_dask.test_connect import asked, scheduler_of

pytestmark = pytest.mark.rehearsal

TEAM = "climate"
GROUP = f"{TEAM}-default"
HERE = ("--namespace", TEAM)
WORKERS = 2
GPUS_PER_NODE = 2
"""The scheduler has one, too."""

ASLEEP = {
    "idle.daskfleet/asleep-since": "2026-11-23T08:00:00+00:00",
    "idle.daskfleet/declared-workers": str(WORKERS),
}
"""As the idle controller notes it (in_cluster/idle_controller/note.py)."""


@pytest.fixture
def alice(fleet: RunningRehearsal, tmp_path: Path) -> dict[str, str]:
    """The environment of a member."""
    return environment_of(fleet, "alice@example.com", home=tmp_path)


def test_a_healthy_team_and_who_uses_it(
    fleet: RunningRehearsal, alice: Mapping[str, str], tmp_path: Path
) -> None:
    before = told(alice, status=0)
    assert before["verdict"] == "ready"
    assert (before["problems"], before["not_known"]) == ([], [])
    assert (before["dask"]["clients"], before["dask"]["workers"]) == (0, WORKERS)

    with (
        connected(fleet, TEAM, tmp_path, environment=alice) as connection,
        Client(connection.address, timeout=30) as client,
    ):
        futures = client.map(operator.neg, range(20))
        client.gather(futures)
        now = told(alice, status=0)["dask"]
        assert (now["clients"], now["tasks"], now["queued"]) == (1, 20, 0)
        pid = client.run_on_scheduler(os.getpid)
    os.kill(pid, signal.SIGKILL)
    until(lambda: told(alice)["losses"] != [] and told(alice)["verdict"] == "ready")

    # Its workers end with it, too.
    lost = {loss["pod"]: loss["why"] for loss in told(alice)["losses"]}
    assert "137" in lost[scheduler_of(fleet)]
    words = asked(alice, "logs", TEAM, "scheduler", "--previous")
    assert "Receive client connection" in words.stdout, words.stderr
    # A process that has just started has written nothing yet.
    names = {pod.name for pod in fleet.dask_pods(TEAM).values()}
    assert len(names) == 1 + WORKERS
    until(lambda: pods_that_wrote(alice) == names)


def test_a_worker_that_waits_for_a_gpu(fleet: RunningRehearsal, alice: Mapping[str, str]) -> None:
    with no_gpu_free(fleet):
        kubectl(fleet, *HERE, "delete", "pod", workers_of(fleet)[0])
        until(lambda: judged(alice) != [], otherwise=lambda: told(alice))
        report = told(alice, status=3)

    (pod,) = (pod for pod in report["pods"] if pod["waits_for"])
    assert "Insufficient nvidia.com/gpu" in pod["waits_for"]
    assert pod["means"].startswith("Every GPU of its pool is in use")


def test_a_worker_that_the_quota_refuses(fleet: RunningRehearsal, alice: Mapping[str, str]) -> None:
    with less_quota(fleet):
        kubectl(fleet, *HERE, "delete", "pod", workers_of(fleet)[0])
        until(lambda: refused(alice) != [], otherwise=lambda: told(alice))
        report = told(alice, status=3)

    (problem,) = report["problems"]
    assert problem["about"].startswith(GROUP)
    assert problem["means"].startswith("The quota of the team's namespace is used up")


def test_a_team_that_sleeps(fleet: RunningRehearsal, alice: Mapping[str, str]) -> None:
    patch(fleet, ASLEEP, replicas=0)
    try:
        until(lambda: workers_of(fleet) == [])
        report = told(alice, status=0)
        people_read = asked(alice, "status", TEAM).stdout
    finally:
        patch(fleet, dict.fromkeys(ASLEEP), replicas=WORKERS)
    until(lambda: len(workers_of(fleet)) == WORKERS)

    assert report["verdict"] == "asleep"
    assert report["why"].startswith("asleep since 2026-11-23 08:00 UTC")
    assert report["problems"] == []
    assert f"{TEAM}: asleep" in people_read


def test_platform_engineers_see_all_teams(fleet: RunningRehearsal) -> None:
    done = typed(fleet, sys.executable, "-m", "daskfleet", "status", "--json")
    report = json.loads(done.stdout)

    assert done.returncode == 0, done.stdout + done.stderr
    assert {team["team"]: team["verdict"] for team in report["teams"]} == dict.fromkeys(
        (entry["name"] for entry in fleet.base["daskfleet:teams"]), "ready"
    )
    (climate,) = (team for team in report["teams"] if team["team"] == TEAM)
    roles = sorted(pod["role"] for pod in climate["pods"])
    assert roles == ["scheduler", *["worker"] * WORKERS]
    assert all(team["not_known"] == [] for team in report["teams"])


def told(alice: Mapping[str, str], *, status: int | None = None) -> dict[str, Any]:
    """Return what `daskfleet status --json` tells a member."""
    done = asked(alice, "status", TEAM, "--json")
    assert status in (None, done.returncode), done.stdout + done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def pods_that_wrote(alice: Mapping[str, str]) -> set[str]:
    """Return the pods that lines of `daskfleet logs` are of."""
    lines = asked(alice, "logs", TEAM, "--tail", "5").stdout.splitlines()
    return {line.partition(" | ")[0] for line in lines}


def judged(alice: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the pods for which kube-scheduler has found no node."""
    return [pod for pod in told(alice)["pods"] if "0/" in pod["waits_for"]]


def refused(alice: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the problems that are the quota's."""
    return [each for each in told(alice)["problems"] if "exceeded quota" in each["says"]]


def workers_of(fleet: RunningRehearsal) -> list[str]:
    """Return the names of the team's workers."""
    return [pod.name for pod in fleet.dask_pods(TEAM).values() if pod.role == "worker"]


def patch(fleet: RunningRehearsal, annotations: Mapping[str, str | None], *, replicas: int) -> None:
    """Do with the group what the idle controller does."""
    change = {
        "metadata": {"annotations": annotations},
        "spec": {"worker": {"replicas": replicas}},
    }
    kubectl(
        fleet,
        *(*HERE, "patch", "daskworkergroup", GROUP),
        *("--type", "merge", "--patch", json.dumps(change)),
    )


@contextmanager
def less_quota(fleet: RunningRehearsal) -> Iterator[None]:
    """Let the team have a GPU less meanwhile than it has pods for.

    With more workers than the quota has room for it would be chance: its controller counts late
    what comes while something goes. And the operator, asked for fewer again, takes those away that
    run. It is a second quota, since a field of the team's own that kubectl has written stays
    kubectl's, and the next `up` that changes it is refused.
    """
    quota = ("quota", "less")
    kubectl(fleet, *HERE, "create", *quota, f"--hard=requests.nvidia.com/gpu={WORKERS}")
    counted = ("get", *quota, "--output", "jsonpath={.status.used}")
    until(lambda: kubectl(fleet, *HERE, *counted) != "")
    try:
        yield
    finally:
        kubectl(fleet, *HERE, "delete", *quota)
        until(lambda: all_are_back(fleet))


def all_are_back(fleet: RunningRehearsal) -> bool:
    """Whether the team has its workers; if not, have its ReplicaSets looked at once more.

    Kubernetes' ReplicaSet controller waits twice as long after each refusal, and then for minutes.
    """
    if len(workers_of(fleet)) == WORKERS:
        return True
    looked_at = {"metadata": {"annotations": {"example.com/quota": f"{uuid4()}"}}}
    for each in replica_sets_of(fleet):
        kubectl(fleet, *HERE, "patch", each, "--patch", json.dumps(looked_at))
    return False


def replica_sets_of(fleet: RunningRehearsal) -> list[str]:
    """Return those that make the team's pods."""
    return kubectl(fleet, *HERE, "get", "replicasets", "--output", "name").split()


@contextmanager
def no_gpu_free(fleet: RunningRehearsal) -> Iterator[None]:
    """Put a pod of somebody else's on each node of the pool, past kube-scheduler."""
    labelled = ("--selector", "cloud.google.com/gke-nodepool=a100-fixed")
    nodes = json.loads(kubectl(fleet, "get", "nodes", *labelled, "--output", "json"))["items"]
    names = [node["metadata"]["name"] for node in nodes]
    for node in names:
        limits = {"limits": {"nvidia.com/gpu": str(GPUS_PER_NODE)}}
        override = {
            "apiVersion": "v1",
            "spec": {
                "nodeName": node,
                "containers": [{"name": "c", "image": "none", "resources": limits}],
            },
        }
        kubectl(
            fleet,
            *("--namespace", "default", "run", f"on-{node}", "--image", "none"),
            *("--overrides", json.dumps(override)),
        )
    try:
        yield
    finally:
        pods = [f"on-{node}" for node in names]
        gone = ("--force", "--grace-period", "0")
        kubectl(fleet, "--namespace", "default", "delete", "pod", *pods, *gone)
