"""End to end: another driver reaches every GPU node, the schedulers' first, and ends there."""

from collections.abc import Collection

import pytest

from rehearsal.engine.engine import EngineFailedError
from rehearsal.report.requests import Mark
from tests.rehearsal.end_to_end.gpu_nodes import comings_and_goings, gpu_nodes
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal, Settings, work
from tests.rehearsal.end_to_end.waiting import until
from tests.tiers.long_files import LONG

pytestmark = LONG

DRIVER = "580.126.20"
OTHER = "580.95.05"
SCHEDULERS = "scheduler-pool"
TEAMS = ("climate", "genomics")


def test_another_driver_comes_to_the_scheduler_pool_first_and_then_to_the_workers(
    fleet: RunningRehearsal,
) -> None:
    before = gpu_nodes(fleet)
    assert drivers(fleet) == {DRIVER}
    mark = Mark.now(fleet.cluster.audit_log)
    outcome = fleet.up(with_driver(fleet, OTHER))

    assert work(outcome) == {"update": 4}  # the installer, and three pools
    assert before.keys().isdisjoint(gpu_nodes(fleet))
    assert_one_driver_everywhere(fleet, OTHER)
    assert_schedulers_first(mark)

    mark = Mark.now(fleet.cluster.audit_log)
    fleet.up(None, "--parallel", "1")
    assert_one_driver_everywhere(fleet, DRIVER)
    assert_schedulers_first(mark)


def test_a_roll_that_fails_at_the_scheduler_pool_reaches_no_worker(
    fleet: RunningRehearsal,
) -> None:
    workers = {uid for uid, node in gpu_nodes(fleet).items() if node.pool != SCHEDULERS}
    fleet.inject(failing_roll(SCHEDULERS))
    with pytest.raises(EngineFailedError):
        fleet.up(with_driver(fleet, OTHER))
    assert "the roll was stopped" in fleet.said
    assert workers <= gpu_nodes(fleet).keys()
    # Where the roll was stopped an installer and pods begin anew.
    until(
        lambda: has_one_driver_everywhere(fleet, DRIVER),
        otherwise=lambda: (gpu_nodes(fleet), fleet.see().pods),
    )

    fleet.up(with_driver(fleet, OTHER))
    assert_one_driver_everywhere(fleet, OTHER)


def test_a_roll_that_stopped_between_two_pools_is_finished_by_the_next_up(
    fleet: RunningRehearsal,
) -> None:
    fleet.inject(failing_roll("a100-fixed"))
    with pytest.raises(EngineFailedError):
        fleet.up(with_driver(fleet, OTHER))
    assert {DRIVER, OTHER} <= set(drivers(fleet))  # and none, where one is being installed

    fleet.up(with_driver(fleet, OTHER))
    assert_one_driver_everywhere(fleet, OTHER)


def assert_one_driver_everywhere(fleet: RunningRehearsal, version: str) -> None:
    """An `up` that has ended well leaves no node and no pod that is not there yet."""
    assert has_one_driver_everywhere(fleet, version), (gpu_nodes(fleet), fleet.see().pods)


def has_one_driver_everywhere(fleet: RunningRehearsal, version: str) -> bool:
    """Every GPU node has the driver, its own installer and no other, and all of Dask is ready."""
    return all(
        (node.driver, node.installers) == (version, (version,))
        for node in gpu_nodes(fleet).values()
    ) and all(pod.is_ready for team in TEAMS for pod in fleet.dask_pods(team).values())


def assert_schedulers_first(mark: Mark) -> None:
    """No worker node goes before the last scheduler node has come."""
    seen = comings_and_goings(mark, {SCHEDULERS: SCHEDULERS, "a100": "workers"})
    assert ("create", SCHEDULERS) in seen
    assert ("delete", "workers") in seen
    last = max(index for index, event in enumerate(seen) if event == ("create", SCHEDULERS))
    assert last < seen.index(("delete", "workers"))


def drivers(fleet: RunningRehearsal) -> Collection[str | None]:
    """The drivers that are loaded somewhere."""
    return {node.driver for node in gpu_nodes(fleet).values()}


def with_driver(fleet: RunningRehearsal, version: str) -> Settings:
    """The settings with another driver."""
    settings = fleet.settings()
    settings["daskfleet:driver"] = {"version": version}
    return settings


def failing_roll(pool: str) -> dict[str, str]:
    """Let the next update of a pool be accepted and come to nothing."""
    return {
        "kind": "operation",
        "method": "PUT",
        "path": f"/nodePools/{pool}$",
        "message": "the roll was stopped",
    }
