"""Unit: what a scheduler says of itself; a hostile one says anything."""

import asyncio
import json
import time

import httpx
import pytest
from distributed import Client, LocalCluster

from daskfleet.access.pod_http import UnansweredError
from daskfleet.team.status.ask_dask import PATH, dask_status

TASKS = 50
COUNTS = {
    "bytes": 28,
    "clients": 3,
    "cores": 2,
    "erred": 1,
    "hosts": 1,
    "idle": 0,
    "memory": 4,
    "processing": 3,
    "released": 0,
    "saturated": 2,
    "tasks": 20,
    "unrunnable": 0,
    "waiting": 2,
    "waiting_data": 1,
    "workers": 2,
    "desired_workers": 5,
}


def page(**changes: object) -> bytes:
    return json.dumps({**COUNTS, **changes}).encode()


def test_the_scheduler_itself_is_no_client_and_the_rest_is_queued() -> None:
    status = dask_status(page())

    assert (status.clients, status.workers, status.desired_workers) == (2, 2, 5)
    assert (status.tasks, status.processing, status.queued, status.erred) == (20, 3, 10, 1)


def test_copies_of_results_make_nothing_negative() -> None:
    assert dask_status(page(memory=40)).queued == 0


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"<html>",
        b"[]",
        b"null",
        b"{}",
        b"[" * 30_000,
        page(clients=-1),
        page(clients=1e30),
        page(clients=True),
        page(clients="3"),
        page(tasks=None),
        b'{"clients": ' + b"9" * 5000 + b"}",
        b"\xff\xfe",
    ],
)
def test_what_dask_does_not_write_is_no_answer(answer: bytes) -> None:
    with pytest.raises(UnansweredError, match=PATH):
        dask_status(answer)


def test_dask_writes_such_a_page() -> None:
    async def counted() -> bytes:
        async with (
            LocalCluster(
                n_workers=1,
                threads_per_worker=1,
                processes=False,
                asynchronous=True,
                dashboard_address="127.0.0.1:0",
            ) as cluster,
            Client(cluster, asynchronous=True) as client,
        ):
            futures = client.map(time.sleep, [0.5] * TASKS, pure=False)
            async with httpx.AsyncClient(trust_env=False) as http:
                url = f"http://127.0.0.1:{cluster.scheduler.http_server.port}{PATH}"
                answer = await http.get(url)
                while not dask_status(answer.content).processing:
                    await asyncio.sleep(0.01)
                    answer = await http.get(url)
            await client.cancel(futures)
            return answer.content

    status = dask_status(asyncio.run(counted()))

    assert (status.clients, status.workers, status.tasks) == (1, 1, TASKS)
    assert status.processing + status.queued == TASKS
    assert status.queued > TASKS / 2
