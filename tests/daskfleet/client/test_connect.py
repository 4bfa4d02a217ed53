"""Integration: one line of Python is a client of the team's cluster."""

import asyncio
import operator
import threading

import pytest
from distributed import Client

import daskfleet
from tests.daskfleet.client.played_fleet import tunnels
from tests.daskfleet.team.connect.api_server import Namespace


@pytest.mark.usefixtures("namespace")
def test_a_line_of_python_is_a_client() -> None:
    client = daskfleet.connect("fraud")
    assert isinstance(client, Client)
    assert client.submit(operator.add, 40, 2).result(timeout=30) == 42
    assert tunnels() != []
    assert client.team is not None
    assert client.dashboard_link.startswith("http://127.0.0.1:")
    assert client.dashboard_link.endswith("/status")
    client.close()
    assert tunnels() == []
    client.close()  # a second time


@pytest.mark.usefixtures("namespace")
def test_it_closes_at_the_end_of_its_block() -> None:
    with daskfleet.connect("fraud") as client:
        assert client.submit(operator.add, 40, 2, pure=False).result(timeout=30) == 42
    assert tunnels() == []


@pytest.mark.usefixtures("namespace")
@pytest.mark.asyncio
async def test_a_notebook_whose_event_loop_runs_needs_no_await() -> None:
    with daskfleet.connect("fraud") as client:
        assert client.submit(operator.add, 40, 2, pure=False).result(timeout=30) == 42
    assert tunnels() == []


@pytest.mark.usefixtures("namespace")
@pytest.mark.asyncio
async def test_with_an_event_loop_it_is_awaited_or_entered() -> None:
    client = await daskfleet.connect("fraud", asynchronous=True)
    assert await client.submit(operator.add, 40, 2, pure=False) == 42
    await client.close()
    assert tunnels() == []

    async with daskfleet.connect("fraud", asynchronous=True) as client:
        assert await client.submit(operator.add, 40, 2, pure=False) == 42
    assert tunnels() == []


@pytest.mark.asyncio
async def test_whoever_stops_waiting_leaves_no_tunnel(namespace: Namespace) -> None:
    namespace.selected = None
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.5):
            await daskfleet.connect("fraud", asynchronous=True)
    assert tunnels() == []


def test_it_waits_for_a_scheduler_that_comes_and_says_so(
    namespace: Namespace, caplog: pytest.LogCaptureFixture
) -> None:
    scheduler = namespace.pods["one"]
    scheduler.is_ready = False
    threading.Timer(1.0, lambda: setattr(scheduler, "is_ready", True)).start()

    with daskfleet.connect("fraud") as client:
        assert client.submit(operator.add, 40, 2, pure=False).result(timeout=30) == 42

    said = [record.message for record in caplog.records if record.name == "daskfleet"]
    assert said == [
        "team fraud: waiting for pod one to be ready (Running)",
        "team fraud: forwarding to pod one",
    ]
