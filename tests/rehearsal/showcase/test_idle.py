"""End to end: workers that sleep while nobody needs them, and an address that stays."""

import json
import operator
import sys
from pathlib import Path
from typing import Any

import pytest
from distributed import Client

from rehearsal.report.fleet_state import Pod
from tests.rehearsal.end_to_end.connect_command import connected
from tests.rehearsal.end_to_end.drift_command import looked_at
from tests.rehearsal.end_to_end.kubectl import kubectl
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal, team, work
from tests.rehearsal.end_to_end.shell import typed
from tests.rehearsal.end_to_end.waiting import until
from tests.tiers.long_files import LONG

pytestmark = LONG

TEAM = "chemistry"
WAKE_TIMEOUT_S = 60


@pytest.fixture
def sleepy(showcase_stage: RunningRehearsal) -> RunningRehearsal:
    """The showcase, with a team that sleeps as soon as it has nothing to do."""
    settings = showcase_stage.settings()
    team(settings, TEAM)["idle"] = {"workers_after_min": 0.1}
    showcase_stage.ensure_as_declared(settings)
    return showcase_stage


def test_workers_sleep_without_drift_and_the_first_task_brings_them_back_at_the_same_address(
    sleepy: RunningRehearsal, tmp_path: Path
) -> None:
    with connected(sleepy, TEAM, tmp_path) as connection:
        until(lambda: not workers(sleepy))
        asleep_with = scheduler(sleepy)

        assert work(sleepy.run("up", "--yes", "--skip-preview")) == {}
        assert work(sleepy.run("refresh", "--yes", "--skip-preview")) == {}
        _, differences = looked_at(sleepy)
        assert [resource for resource, _ in differences if TEAM in resource] == []
        checks = verified(sleepy)
        assert "failed" not in {check["outcome"] for check in checks.values()}
        assert "asleep since" in checks["workers"]["seen"]
        assert not workers(sleepy)

        with Client(connection.address, timeout=30) as client:
            future = client.submit(operator.add, 40, 2, pure=False)
            assert future.result(timeout=WAKE_TIMEOUT_S) == 42
            # It holds a result, which is lost when its worker goes: nobody sleeps.
            assert len(workers(sleepy)) == team(sleepy.base, TEAM)["workers"]
        assert scheduler(sleepy) == asleep_with


def test_a_team_is_woken_by_whoever_may_scale_its_workers(sleepy: RunningRehearsal) -> None:
    until(lambda: not workers(sleepy))

    done = typed(sleepy, sys.executable, "-m", "daskfleet", "wake", TEAM)

    assert done.returncode == 0, done.stderr
    until(lambda: len(workers(sleepy)) == team(sleepy.base, TEAM)["workers"])
    until(lambda: not annotations(sleepy))


def workers(fleet: RunningRehearsal) -> list[Pod]:
    """Return the team's workers."""
    return [pod for pod in fleet.dask_pods(TEAM).values() if pod.role == "worker"]


def scheduler(fleet: RunningRehearsal) -> tuple[str, str]:
    """Return the UID of the scheduler's pod, and the address of the team's Service."""
    (uid,) = (uid for uid, pod in fleet.dask_pods(TEAM).items() if pod.role == "scheduler")
    service = kubectl(fleet, "--namespace", TEAM, "get", "service", "dask", "-o", "json")
    return uid, json.loads(service)["spec"]["clusterIP"]


def annotations(fleet: RunningRehearsal) -> dict[str, str]:
    """Return what the controller has noted."""
    group = kubectl(
        fleet, "--namespace", TEAM, "get", "daskworkergroup", f"{TEAM}-default", "-o", "json"
    )
    found = json.loads(group)["metadata"].get("annotations") or {}
    return {key: value for key, value in found.items() if key.startswith("idle.daskfleet/")}


def verified(fleet: RunningRehearsal) -> dict[str, dict[str, Any]]:
    """Return what `daskfleet verify` says of the team, by check."""
    done = typed(fleet, sys.executable, "-m", "daskfleet", "verify", TEAM, "--json")
    (told,) = json.loads(done.stdout)["teams"]
    return {check["name"]: check for check in told["checks"]}
