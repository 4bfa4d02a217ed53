"""End to end: processes that begin anew, one at a time, and nothing that is held is lost."""

import json
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from distributed import Client

from rehearsal.report.address_watch import AddressWatch, unserved_s
from tests.rehearsal.end_to_end.kubectl import forwarded, kubectl
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal, Settings, team
from tests.rehearsal.end_to_end.shell import typed
from tests.rehearsal.end_to_end.waiting import until
from tests.tiers.long_files import LONG

pytestmark = LONG

TEAM = "oceanography"
WORKERS = 2
MINUTE_H = 1 / 60


def with_two_workers(fleet: RunningRehearsal, **more: Any) -> Settings:
    settings = fleet.settings()
    team(settings, TEAM).update({"workers": WORKERS, **more})
    return settings


@pytest.fixture
def fleet(showcase_stage: RunningRehearsal) -> Iterator[RunningRehearsal]:
    """The showcase with a second worker, and afterwards as it is declared."""
    showcase_stage.ensure_as_declared(with_two_workers(showcase_stage))
    yield showcase_stage
    # From a scheduler that has just begun anew the operator can retire nobody, and asks once.
    showcase_stage.ensure_as_declared(with_two_workers(showcase_stage))
    until(lambda: connected_workers(showcase_stage) == WORKERS)
    showcase_stage.ensure_as_declared()


def test_old_workers_hand_over_what_they_hold_and_an_old_scheduler_goes_once_it_holds_nothing(
    fleet: RunningRehearsal,
) -> None:
    address = service(fleet)
    scheduler = pods(fleet, "scheduler")
    with (
        forwarded(fleet, "service/dask", 8786, namespace=TEAM) as forward,
        Client(f"tcp://{forward}", timeout=30) as client,
    ):
        client.wait_for_workers(WORKERS, timeout=60)
        # What was scattered cannot be computed again: lost once, it is lost.
        held = client.scatter(list(range(40)), hash=False, broadcast=False)
        before = pods(fleet, "worker")

        fleet.ensure_as_declared(with_two_workers(fleet, recycle={"after_h": MINUTE_H}))
        until(
            lambda: all(pods(fleet, "worker")[name] > count for name, count in before.items()),
            otherwise=lambda: (before, pods(fleet, "worker"), log(fleet)),
        )

        assert client.gather(held) == list(range(40))
        assert pods(fleet, "scheduler") == scheduler
        until(lambda: any("its results were moved first" in told for told in begun_anew(fleet)))

    with AddressWatch(fleet.workspace) as addresses:
        until(
            lambda: pods(fleet, "scheduler").keys().isdisjoint(scheduler),
            otherwise=lambda: (pods(fleet, "scheduler"), log(fleet)),
        )
        until(
            lambda: any("0 results in memory" in told for told in begun_anew(fleet)),
            otherwise=lambda: (begun_anew(fleet), log(fleet)),
        )
    assert unserved_s(addresses.moments[TEAM]) > 0
    assert service(fleet) == address


def pods(fleet: RunningRehearsal, component: str) -> dict[str, int]:
    """Names of the team's pods of a component, and how often their processes began anew."""
    here = ("--namespace", TEAM, "--selector", f"dask.org/component={component}")
    listed = json.loads(kubectl(fleet, "get", "pods", *here, "--output", "json"))["items"]
    return {
        pod["metadata"]["name"]: sum(
            each["restartCount"] for each in pod["status"].get("containerStatuses", ())
        )
        for pod in listed
    }


def service(fleet: RunningRehearsal) -> str:
    """Return the team's address."""
    path = "jsonpath={.spec.clusterIP}"
    return kubectl(fleet, "--namespace", TEAM, "get", "service", "dask", "--output", path)


def status(fleet: RunningRehearsal) -> dict[str, Any]:
    """Return what `daskfleet status` says of the team."""
    done = typed(fleet, sys.executable, "-m", "daskfleet", "status", TEAM, "--json")
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def begun_anew(fleet: RunningRehearsal) -> list[str]:
    """Return what is told of processes that began anew."""
    told: list[str] = status(fleet)["begun_anew"]
    return told


def connected_workers(fleet: RunningRehearsal) -> int | None:
    """Return how many workers the scheduler knows; None while it does not answer."""
    dask: dict[str, int] | None = status(fleet)["dask"]
    return dask["workers"] if dask else None


def log(fleet: RunningRehearsal) -> str:
    """Return what the controller has said."""
    here = ("--namespace", "dask-operator", "deployment/idle-controller")
    return kubectl(fleet, "logs", *here, "--tail=30")
