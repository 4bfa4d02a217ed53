"""Integration: the team's own scheduler and worker, as the program declares them, compute."""

import pytest
from distributed import Client

from tests.rehearsal.dask_pods.pods import is_listening, team_pod
from tests.rehearsal.dask_pods.running import (
    Start,
    has_restarted,
    is_alive,
    is_ready,
    main,
    process_of,
    until,
)

# Each test starts real Dask processes: no quick ones.
pytestmark = [pytest.mark.asyncio, pytest.mark.rehearsal]


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
    nanny = process_of(worker)
    processes = [nanny, *nanny.children(recursive=True)]
    assert len(processes) > 1
    await worker.end(grace_s=20)
    assert not any(is_alive(process) for process in processes)
    assert not is_listening(worker.place.address.loopback, 8788)
    assert worker.pids == ()
    assert worker.status()["phase"] == "Succeeded"


async def test_a_worker_survives_the_loss_of_its_scheduler_as_on_a_cluster(start: Start) -> None:
    scheduler = await start(team_pod("scheduler"))
    address = f"tcp://{scheduler.place.address.loopback}:8786"
    worker = await start(team_pod("worker", DASK_WORKER_NAME="a", DASK_SCHEDULER_ADDRESS=address))
    await until(scheduler, is_ready)
    await until(worker, is_ready)
    process_of(scheduler).kill()
    killed = await until(scheduler, has_restarted)
    assert main(killed)["lastState"]["terminated"]["exitCode"] == 137
    await until(scheduler, is_ready)
    # Dask's workers leave with the scheduler that they lose, and exit code 0.
    restarted = await until(worker, has_restarted)
    assert main(restarted)["lastState"]["terminated"]["reason"] == "Completed"
    await until(worker, is_ready)
    async with Client(address, asynchronous=True) as client:
        assert await client.submit(sum, range(10), resources={"GPU": 1}) == 45
