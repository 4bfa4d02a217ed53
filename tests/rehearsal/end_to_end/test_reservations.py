"""End to end: a pool whose nodes come from a reservation, which is not there, and then is."""

from collections.abc import Iterator

import httpx
import pytest

from rehearsal.engine.engine import EngineFailedError
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal
from tests.rehearsal.end_to_end.test_pool_replacement import (
    POOL,
    TEAMS,
    assert_everybody_runs_on,
    generations,
    pool,
    pools_in_gke,
    surging,
)
from tests.tiers.long_files import LONG

pytestmark = LONG

MACHINE = {"machineType": "a2-highgpu-2g"}


@pytest.fixture
def reserving(fleet: RunningRehearsal) -> Iterator[RunningRehearsal]:
    """The fleet; a reservation that a test makes goes when the test ends."""
    yield fleet
    httpx.delete(f"{reservations(fleet)}/kept")


def test_a_generation_on_a_reservation_comes_once_the_reservation_is_there(
    reserving: RunningRehearsal,
) -> None:
    fleet, settings = reserving, surging(reserving.settings(), POOL)
    pool(settings, POOL)["reservation"] = {"name": "kept", "machines": 2}
    before = {team: fleet.dask_pods(team).keys() for team in TEAMS}
    names = sorted(pools_in_gke(fleet))
    with pytest.raises(EngineFailedError):
        fleet.up(settings)

    assert 'reservation "kept" not found for node pool' in fleet.said
    assert sorted(pools_in_gke(fleet)) == names
    assert {team: fleet.dask_pods(team).keys() for team in TEAMS} == before

    sku = {"count": "2", "instanceProperties": MACHINE}
    body = {"name": "kept", "specificReservation": sku, "specificReservationRequired": True}
    httpx.post(reservations(fleet), json=body).raise_for_status()
    fleet.up(settings)

    assert_everybody_runs_on(fleet, generations(fleet))
    kept = httpx.get(f"{reservations(fleet)}/kept").raise_for_status().json()
    assert kept["specificReservation"]["inUseCount"] == "2"

    fleet.up()
    free = httpx.get(f"{reservations(fleet)}/kept").raise_for_status().json()
    assert free["specificReservation"]["inUseCount"] == "0"


def reservations(fleet: RunningRehearsal) -> str:
    """Where the reservations of the nodes' zone are."""
    project = fleet.base["daskfleet:project"]
    return f"{fleet.base_url}/compute/beta/projects/{project}/zones/us-central1-c/reservations"
