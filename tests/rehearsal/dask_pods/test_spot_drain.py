"""Integration: a worker's pod that is ended hands on its results, by whatever command it runs."""

import json
from typing import Any

import pytest
from distributed import Client

from daskfleet.planning.plan import TeamPlan
from manifests.spot_drain import DRAIN_S
from tests.components.fleets import fleet
from tests.rehearsal.dask_pods.pods import team_pod
from tests.rehearsal.dask_pods.running import Start, is_ready, until

# Each test starts real Dask processes: no quick ones.
pytestmark = [pytest.mark.asyncio, pytest.mark.rehearsal]

POOLS = [
    {"name": name, "spot": name == "spot", "autoscaling": {"min_nodes": 0, "max_nodes": 2}}
    for name in ("spot", "a100")
]


@pytest.mark.parametrize("command", [None, ["dask", "worker"]], ids=["dask cuda worker", "dask"])
async def test_what_only_the_ended_worker_had_is_on_another_afterwards(
    start: Start, command: list[str] | None
) -> None:
    plan = chained(command)
    scheduler = await start(team_pod("scheduler", plan))
    address = f"tcp://{scheduler.place.address.loopback}:8786"
    leaves = await start(patient_worker(plan, "leaves", address))
    stays = await start(patient_worker(plan, "stays", address))
    for run in (scheduler, leaves, stays):
        await until(run, is_ready)

    async with Client(address, asynchronous=True) as client:
        # Scattered data is in no task graph: nothing could compute it again.
        future = await client.scatter(42, workers=["leaves"])
        await leaves.end(grace_s=120)
        assert await client.gather(future, errors="skip") == 42
        (left,) = (await client.scheduler.identity())["workers"].values()
    assert left["name"] == "stays"


def chained(command: list[str] | None) -> TeamPlan:
    worker = {} if command is None else {"command": command}
    team = {"name": "alpha", "worker_pool": ["spot", "a100"], "worker": worker}
    return fleet(worker_pools=POOLS, teams=[team]).teams[0]


def patient_worker(plan: TeamPlan, name: str, scheduler: str) -> dict[str, Any]:
    """A worker with more time for its end than a spot node gives: this machine may be busy."""
    made = json.dumps(
        team_pod("worker", plan, DASK_WORKER_NAME=name, DASK_SCHEDULER_ADDRESS=scheduler)
    )
    patient = made.replace(f"(leaving, {DRAIN_S})", "(leaving, 60)")
    assert patient != made
    document: dict[str, Any] = json.loads(patient)
    return document
