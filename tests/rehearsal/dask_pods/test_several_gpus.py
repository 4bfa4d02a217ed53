"""Integration: how Dask calls the worker of a pod with several GPUs, and whom it retires."""

from typing import Any

import httpx
import pytest
from distributed import Client

from daskfleet.planning.plan import TeamPlan
from rehearsal.dask_pods.pod_run import PodRun
from tests.components.fleets import alpha
from tests.rehearsal.dask_pods.pods import team_pod
from tests.rehearsal.dask_pods.running import Start, is_ready, until
from tests.tiers.long_files import LONG

pytestmark = [pytest.mark.asyncio, *LONG]

POD = "alpha-default-worker-1"
TWO_GPUS = alpha(worker={"gpus": 2})


async def test_it_has_its_pods_name_by_which_the_operator_deletes_what_dask_retires(
    start: Start,
) -> None:
    scheduler = await started(start, team_pod("scheduler"))
    await started(start, worker_of(TWO_GPUS, scheduler))

    async with Client(address_of(scheduler), asynchronous=True) as client:
        assert await client.submit(sum, range(10), resources={"GPU": 2}) == 45
        (info,) = (await client.scheduler.identity())["workers"].values()
    assert info["name"] == POD
    assert info["nthreads"] == 1
    assert info["resources"] == {"GPU": 2.0}
    assert retired(scheduler, count=1) == [POD]


async def test_a_process_for_each_gpu_would_be_retired_by_a_name_that_no_pod_has(
    start: Start,
) -> None:
    """What `dask cuda worker` does with two GPUs, here without any: decision 0058."""
    scheduler = await started(start, team_pod("scheduler"))
    pod = worker_of(TWO_GPUS, scheduler)
    (container,) = pod["spec"]["containers"]
    assert container["args"][:2] == ["dask", "worker"]
    container["args"] += ["--nworkers", "2", "--dashboard-address", ":0"]
    worker = await start(pod)

    async with Client(address_of(scheduler), asynchronous=True) as client:
        await client.wait_for_workers(2, timeout=60)
    assert worker.pids
    (name,) = retired(scheduler, count=1)
    assert name in {f"{POD}-0", f"{POD}-1"}


async def started(start: Start, pod: dict[str, Any]) -> PodRun:
    run = await start(pod)
    await until(run, is_ready)
    return run


def worker_of(plan: TeamPlan, scheduler: PodRun) -> dict[str, Any]:
    return team_pod(
        "worker", plan, DASK_WORKER_NAME=POD, DASK_SCHEDULER_ADDRESS=address_of(scheduler)
    )


def address_of(scheduler: PodRun) -> str:
    return f"tcp://{scheduler.place.address.loopback}:8786"


def retired(scheduler: PodRun, *, count: int) -> list[str]:
    """The names that the operator is told when a group has so many pods too many."""
    url = f"http://{scheduler.place.address.loopback}:8787/api/v1/retire_workers"
    told = httpx.post(url, json={"n": count}, timeout=60).raise_for_status().json()
    return [each["name"] for each in told.values()]
