"""Unit: a change in a namespace is heard of, and whatever breaks a watch holds up nobody."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import get_args

import pytest

from components.gates import namespace_watch
from components.gates.namespace_api import NamespaceApi
from components.gates.namespace_watch import NamespaceWatch
from daskfleet.contract.dask import CLUSTER_LABEL
from tests.components.cluster_server import Cluster, Namespace, served
from tests.components.gates.served_watches import Fault

NEVER_S = 60.0
AT_ONCE_S = 5.0
"""Far below ``NEVER_S``, far above what a busy machine needs."""


@pytest.fixture
def namespace(monkeypatch: pytest.MonkeyPatch) -> Namespace:
    """A namespace of a ready cluster; nobody looks there without a change."""
    monkeypatch.setattr(namespace_watch, "LOOK_EVERY_S", NEVER_S)
    monkeypatch.setattr(namespace_watch, "BURST_S", 0.01)
    return Namespace(Cluster())


@asynccontextmanager
async def connected(namespace: Namespace) -> AsyncIterator[NamespaceApi]:
    async with served(namespace) as kubeconfig:
        yield await NamespaceApi.connect(kubeconfig, namespace="alpha")


def watch_of(api: NamespaceApi) -> NamespaceWatch:
    return NamespaceWatch(api, "v1", "pods", **{CLUSTER_LABEL: "alpha"})


async def until(holds: Callable[[], bool]) -> None:
    for _ in range(1000):
        if holds():
            return
        await asyncio.sleep(0.01)
    pytest.fail("waited in vain")


def test_what_changed_before_the_watch_began_is_looked_at_at_once(namespace: Namespace) -> None:
    async def run() -> None:
        async with connected(namespace) as api, watch_of(api) as watch:
            async with asyncio.timeout(AT_ONCE_S):
                await watch.change()

    asyncio.run(run())


def test_a_change_ends_the_pause_also_when_it_came_during_the_look(namespace: Namespace) -> None:
    async def run() -> None:
        async with connected(namespace) as api, watch_of(api) as watch:
            await watch.change()
            for delay_s in (0.2, 0):
                asyncio.get_running_loop().call_later(delay_s, namespace.watches.tell)
                await asyncio.sleep(0.1)
                async with asyncio.timeout(AT_ONCE_S):
                    await watch.change()

    asyncio.run(run())
    assert namespace.watches.opened == 1


def test_without_a_change_the_next_look_comes_in_time(
    namespace: Namespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> float:
        async with connected(namespace) as api, watch_of(api) as watch:
            await watch.change()
            await asyncio.sleep(0.3)  # for the last of the objects as they are
            monkeypatch.setattr(namespace_watch, "LOOK_EVERY_S", 0.1)
            await watch.change()
            monkeypatch.setattr(namespace_watch, "LOOK_EVERY_S", 0.3)
            started = time.monotonic()
            await watch.change()
            return time.monotonic() - started

    assert 0.3 <= asyncio.run(run()) < AT_ONCE_S


def test_a_namespace_in_which_much_happens_is_not_looked_at_all_the_time(
    namespace: Namespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(namespace_watch, "BURST_S", 0.2)

    async def happen() -> None:
        while True:
            namespace.watches.tell()
            await asyncio.sleep(0.001)

    async def run() -> int:
        async with connected(namespace) as api, watch_of(api) as watch:
            happening = asyncio.create_task(happen())
            looks, ends = 0, time.monotonic() + 1
            while time.monotonic() < ends:
                await watch.change()
                looks += 1
            happening.cancel()
            return looks

    assert 2 <= asyncio.run(run()) <= 5


@pytest.mark.parametrize("fault", get_args(Fault))
def test_a_watch_that_breaks_is_opened_again_after_a_pause_in_which_looks_go_on(
    fault: Fault, namespace: Namespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(namespace_watch, "LOOK_EVERY_S", 0.4)
    monkeypatch.setattr("components.gates.namespace_api.WATCH_SILENCE_S", 0.2)
    namespace.watches.fault = fault

    async def run() -> None:
        async with connected(namespace) as api, watch_of(api) as watch:
            started = time.monotonic()
            async with asyncio.timeout(AT_ONCE_S):
                while namespace.watches.opened < 3:
                    await watch.change()
            assert time.monotonic() - started > 0.8  # the pauses between three
            namespace.watches.fault = None
            monkeypatch.setattr("components.gates.namespace_api.WATCH_SILENCE_S", NEVER_S)
            broken = namespace.watches.opened
            await until(lambda: namespace.watches.opened > broken)
            await until(lambda: namespace.watches.open_now == 1)
            monkeypatch.setattr(namespace_watch, "LOOK_EVERY_S", NEVER_S)
            async with asyncio.timeout(AT_ONCE_S):
                await watch.change()
                namespace.watches.tell()
                await watch.change()

    asyncio.run(run())


def test_a_server_that_is_gone_holds_up_nobody(
    namespace: Namespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(namespace_watch, "LOOK_EVERY_S", 0.05)

    async def run() -> None:
        async with connected(namespace) as api:
            pass
        async with watch_of(api) as watch, asyncio.timeout(AT_ONCE_S):
            for _ in range(5):
                await watch.change()

    asyncio.run(run())


@pytest.mark.parametrize("fault", [None, "silent", "refused"])
def test_who_is_cancelled_ends_at_once_and_watches_no_more(
    fault: Fault | None, namespace: Namespace
) -> None:
    async def run() -> None:
        async with connected(namespace) as api:

            async def look_for_ever() -> None:
                async with watch_of(api) as watch:
                    while True:
                        await watch.change()

            looking = asyncio.create_task(look_for_ever())
            namespace.watches.fault = fault
            await until(lambda: namespace.watches.opened == 1)
            looking.cancel()
            async with asyncio.timeout(1):
                await asyncio.wait([looking])
            assert looking.cancelled()
            await until(lambda: namespace.watches.open_now == 0)
            (only_this,) = asyncio.all_tasks() - _of_the_server()
            assert only_this is asyncio.current_task()

    asyncio.run(run())


def test_more_teams_than_places_leave_connections_to_the_looks(
    namespace: Namespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(namespace_watch, "PLACES", asyncio.Semaphore(2))
    monkeypatch.setattr(namespace_watch, "LOOK_EVERY_S", 0.1)

    async def run() -> None:
        async with connected(namespace) as api:

            async def look() -> None:
                async with watch_of(api) as watch:
                    for _ in range(5):
                        await watch.change()
                        assert namespace.watches.open_now <= 2

            async with asyncio.timeout(AT_ONCE_S):
                await asyncio.gather(*(look() for _ in range(6)))
        assert namespace.watches.opened >= 2

    asyncio.run(run())


def _of_the_server() -> set["asyncio.Task[object]"]:
    """Tasks of aiohttp, which serves in the same loop."""
    return {task for task in asyncio.all_tasks() if "RequestHandler" in repr(task.get_coro())}
