"""What workers of a chain with a spot pool do when they are told to end, by Dask itself."""

import asyncio
from typing import Any

import dask
import pytest
from distributed import Client, Nanny, Scheduler

from manifests.dask_pod import Container
from manifests.dask_worker_pod import worker_pod
from manifests.spot_drain import DRAIN_S, PROGRAM, VARIABLE
from tests.components.fleets import fleet

FLAG = "--preload-nanny"
UP_TO_2 = {"autoscaling": {"min_nodes": 0, "max_nodes": 2}}
POOLS = [{"name": "spot", "spot": True, **UP_TO_2}, {"name": "a100", **UP_TO_2}]


def container(worker_pool: Any, **worker: Any) -> Container:
    """A worker's container on these of the two pools."""
    team = {"name": "alpha", "worker_pool": worker_pool, "worker": worker}
    plan = fleet(worker_pools=POOLS, teams=[team]).teams[0]
    found: Container = worker_pod(plan, plan.first_group)["containers"][0]
    return found


def variables(worker_pool: Any, **worker: Any) -> dict[str, str]:
    return {each["name"]: each["value"] for each in container(worker_pool, **worker)["env"]}


def flags(worker_pool: Any, **worker: Any) -> tuple[str, ...]:
    """What nannies get on the command line."""
    arguments = container(worker_pool, **worker)["args"]
    if FLAG not in arguments:
        return ()
    at = arguments.index(FLAG)
    assert arguments.count(FLAG) == 1
    return (arguments[at + 1],)


@pytest.mark.parametrize("worker_pool", ["spot", "a100", ["spot"]], ids=str)
@pytest.mark.parametrize("command", [{}, {"command": ["dask", "worker"]}], ids=str)
def test_workers_of_one_pool_are_what_they_were(worker_pool: Any, command: Any) -> None:
    assert VARIABLE not in variables(worker_pool, **command)
    assert flags(worker_pool, **command) == ()


def test_workers_of_a_chain_with_a_spot_pool_hand_on_what_they_have() -> None:
    assert variables(["spot", "a100"])[VARIABLE] == PROGRAM
    assert flags(["spot", "a100"]) == ()


def test_a_command_that_heeds_no_variable_has_the_flag() -> None:
    command = ["dask", "worker"]

    assert flags(["spot", "a100"], command=command) == (PROGRAM,)
    assert VARIABLE not in variables(["spot", "a100"], command=command)


def test_kubernetes_replaces_nothing_in_the_program() -> None:
    assert "$" not in PROGRAM


def test_a_teams_own_preload_stays() -> None:
    own = {"environment": {VARIABLE: "ours.py"}}

    assert variables(["spot", "a100"], **own)[VARIABLE] == "ours.py"
    assert flags(["spot", "a100"], command=["dask", "worker"], **own) == ()


@pytest.mark.rehearsal
def test_what_only_the_worker_had_that_ends_is_on_another_afterwards() -> None:
    async def scattered_through_an_end() -> object:
        async with (
            Scheduler(port=0, dashboard_address=":0", host="127.0.0.1") as scheduler,
            Nanny(scheduler.address, nthreads=1, name="leaves") as leaving,
            Nanny(scheduler.address, nthreads=1, name="stays"),
            Client(scheduler.address, asynchronous=True) as client,
        ):
            # Scattered data is in no task graph: nothing could compute it again.
            future = await client.scatter(42, workers=[leaving.worker_address])
            await leaving.close(reason="signal-15")
            return await client.gather(future, errors="skip", direct=False)

    patient = PROGRAM.replace(f", {DRAIN_S})", ", 60)")
    assert patient != PROGRAM
    with dask.config.set({"distributed.nanny.preload": patient}):
        assert asyncio.run(asyncio.wait_for(scattered_through_an_end(), 120)) == 42
