"""Integration: whole pods as processes of this machine, the team's own manifest among them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
import pytest_asyncio
from distributed import Client

from rehearsal.dask_pods.pod_run import PodRun
from tests.rehearsal.dask_pods.pods import NOTHING_MOUNTED, is_listening, place, team_pod

pytestmark = pytest.mark.asyncio

LOOK_EVERY_S = 0.05
PATIENCE_S = 30.0

Start = Callable[..., Awaitable[PodRun]]


@pytest_asyncio.fixture
async def start(tmp_path: Path) -> AsyncIterator[Start]:
    """Starts pods, each on an address and in a directory of its own, and ends them."""
    runs: list[PodRun] = []

    async def started(document: dict[str, Any]) -> PodRun:
        directory = tmp_path / str(len(runs))
        directory.mkdir()
        where = place(directory, loopback=f"127.77.9.{len(runs) + 1}")
        run = PodRun(document, place=where, mounted=NOTHING_MOUNTED)
        runs.append(run)
        await run.start()
        return run

    yield started
    for run in runs:
        await run.end(grace_s=5)


async def until(run: PodRun, is_so: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Look at a pod until its status is as wanted."""
    async with asyncio.timeout(PATIENCE_S):
        while not is_so(run.status()):
            await run.look()
            await asyncio.sleep(LOOK_EVERY_S)
    return run.status()


def is_ready(status: dict[str, Any]) -> bool:
    return {"Ready": "True"}.items() <= {
        c["type"]: c["status"] for c in status["conditions"]
    }.items()


def is_alive(process: psutil.Process) -> bool:
    """A zombie has ended; not every init is quick to bury it."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


async def test_the_teams_own_manifest_computes(start: Start) -> None:
    scheduler = await start(team_pod("scheduler"))
    address = f"tcp://{scheduler.place.address.loopback}:8786"
    worker = await start(
        team_pod("worker", DASK_WORKER_NAME="alpha-1", DASK_SCHEDULER_ADDRESS=address)
    )
    await until(scheduler, is_ready)
    await until(worker, is_ready)
    async with Client(address, asynchronous=True) as client:
        assert await client.submit(sum, range(10), resources={"GPU": 1}) == 45
        (info,) = (await client.scheduler.identity())["workers"].values()
    assert info["name"] == "alpha-1"
    assert info["host"] == worker.place.address.loopback
    assert info["nthreads"] == 1
    assert info["local_directory"].startswith(str(worker.place.directory / "volumes" / "scratch"))


async def test_the_end_leaves_no_process_and_no_port(start: Start) -> None:
    scheduler = await start(team_pod("scheduler"))
    address = f"tcp://{scheduler.place.address.loopback}:8786"
    worker = await start(team_pod("worker", DASK_WORKER_NAME="a", DASK_SCHEDULER_ADDRESS=address))
    await until(worker, is_ready)
    (nanny,) = (psutil.Process(pid) for pid in worker.pids)
    processes = [nanny, *nanny.children(recursive=True)]
    assert len(processes) > 1
    await worker.end(grace_s=20)
    assert not any(is_alive(process) for process in processes)
    assert not is_listening(worker.place.address.loopback, 8788)
    assert worker.pids == ()
    assert worker.status()["phase"] == "Succeeded"
