"""Integration: ports of this machine that lead to a pod, whatever becomes of pods and servers."""

import asyncio
import functools
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest

from daskfleet.access.forward import forwarding
from daskfleet.access.kubernetes_api import connected
from daskfleet.access.pod_port import open_pod_port
from daskfleet.access.route import Route, look_up
from daskfleet.team.connect.local_port import listening, port_of
from tests.daskfleet.team.connect.api_server import Namespace, Pod, served


class Held:
    """A held connection, and what it said."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.said: list[str] = []

    async def call(self) -> str:
        """Connect, and return who answers; empty when the connection is ended instead."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            return (await reader.readline()).decode().strip()
        finally:
            writer.close()

    async def call_until(self, answer: str) -> None:
        """Call as a client does that connects again and again."""
        async with asyncio.timeout(30):
            while await self.call() != answer:  # noqa: ASYNC110 - so does a client
                await asyncio.sleep(0.05)


@asynccontextmanager
async def held(kubeconfig: dict[str, Any]) -> AsyncIterator[Held]:
    listener = listening(None, usual=0, option="--port")
    holding = Held(port_of(listener))
    async with connected(kubeconfig, request_timeout_s=5) as api:
        look = functools.partial(look_up, api, namespace="fraud", service="dask")
        route = Route(look, say=holding.said.append)
        keeping = asyncio.create_task(route.keep())

        def open_port(pod: str) -> Any:
            return open_pod_port(api, namespace="fraud", pod=pod, port=8786)

        try:
            async with forwarding(listener, route, open_port):
                yield holding
        finally:
            keeping.cancel()


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not condition():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.02)


@pytest.mark.asyncio
async def test_bytes_of_any_size_go_there_and_come_back() -> None:
    sent = os.urandom(3_000_000)
    async with served(Namespace(Pod("one"))) as kubeconfig, held(kubeconfig) as holding:
        reader, writer = await asyncio.open_connection("127.0.0.1", holding.port)
        assert await reader.readline() == b"one:8786\n"
        writer.write(sent)
        assert await reader.readexactly(len(sent)) == sent
        writer.close()


@pytest.mark.asyncio
async def test_several_connections_at_once_do_not_mix() -> None:
    async with served(Namespace(Pod("one"))) as kubeconfig, held(kubeconfig) as holding:

        async def echo(text: bytes) -> bytes:
            reader, writer = await asyncio.open_connection("127.0.0.1", holding.port)
            await reader.readline()
            writer.write(text)
            answer = await reader.readexactly(len(text))
            writer.close()
            return answer

        texts = [bytes([number]) * 1000 for number in range(20)]
        assert await asyncio.gather(*map(echo, texts)) == texts


@pytest.mark.asyncio
async def test_a_connection_that_is_dropped_ends_and_the_next_one_works() -> None:
    namespace = Namespace(Pod("one"))
    async with served(namespace) as kubeconfig, held(kubeconfig) as holding:
        reader, _ = await asyncio.open_connection("127.0.0.1", holding.port)
        await reader.readline()
        await namespace.drop_connections()
        assert await reader.read() == b""
        assert await holding.call() == "one:8786"


@pytest.mark.asyncio
async def test_a_connection_ends_at_the_pod_when_the_client_ends_it() -> None:
    namespace = Namespace(Pod("one"))
    async with served(namespace) as kubeconfig, held(kubeconfig) as holding:
        await holding.call()
        await until(lambda: not namespace.sockets)


@pytest.mark.asyncio
async def test_a_connection_outlives_the_token_that_it_began_with() -> None:
    namespace = Namespace(Pod("one"))
    async with served(namespace) as kubeconfig, held(kubeconfig) as holding:
        reader, writer = await asyncio.open_connection("127.0.0.1", holding.port)
        await reader.readline()
        namespace.expired_tokens = 2
        await until(lambda: not namespace.expired_tokens)
        assert await holding.call() == "one:8786"
        writer.write(b"still here\n")
        assert await reader.readline() == b"still here\n"
        writer.close()


@pytest.mark.asyncio
async def test_a_replaced_pod_is_waited_for_and_then_used() -> None:
    namespace = Namespace(Pod("one"))
    async with served(namespace) as kubeconfig, held(kubeconfig) as holding:
        assert await holding.call() == "one:8786"
        del namespace.pods["one"]
        namespace.pods["two"] = two = Pod("two", is_ready=False)
        await until(lambda: "waiting for pod two to be ready (Running)" in holding.said)
        waiting = asyncio.create_task(holding.call())
        two.is_ready = True
        assert await waiting == "two:8786"
        assert holding.said[-1] == "forwarding to pod two"


@pytest.mark.asyncio
async def test_new_connections_follow_the_service_to_another_cluster_and_old_ones_stay() -> None:
    namespace = Namespace(Pod("blue"), Pod("green", cluster="fraud-2"))
    async with served(namespace) as kubeconfig, held(kubeconfig) as holding:
        reader, writer = await asyncio.open_connection("127.0.0.1", holding.port)
        assert await reader.readline() == b"blue:8786\n"
        namespace.selected = "fraud-2"
        await until(lambda: "forwarding to pod green" in holding.said)
        assert await holding.call() == "green:8786"
        writer.write(b"still here\n")
        assert await reader.readline() == b"still here\n"
        writer.close()


@pytest.mark.asyncio
async def test_a_pod_whose_process_starts_again_is_not_asked_without_a_pause() -> None:
    namespace = Namespace(one := Pod("one"))
    one.refuses = True
    async with served(namespace) as kubeconfig, held(kubeconfig) as holding:
        calling = [asyncio.create_task(holding.call()) for _ in range(5)]
        await until(lambda: "waiting for an answer from pod one" in holding.said)
        await until(lambda: namespace.refusals >= 10)
        one.refuses = False
        assert set(await asyncio.gather(*calling)) == {"one:8786"}
        assert namespace.refusals < 30


@pytest.mark.asyncio
async def test_what_a_client_says_to_a_pod_that_does_not_answer_the_next_one_hears() -> None:
    namespace = Namespace(one := Pod("one"))
    one.refuses = True
    async with served(namespace) as kubeconfig, held(kubeconfig) as holding:
        reader, writer = await asyncio.open_connection("127.0.0.1", holding.port)
        writer.write(b"who is there?\n")
        await until(lambda: namespace.refusals >= 2)
        one.refuses = False
        assert await reader.readline() == b"one:8786\n"
        assert await reader.readline() == b"who is there?\n"
        writer.close()


@pytest.mark.asyncio
async def test_an_api_server_that_was_away_is_found_again() -> None:
    namespace = Namespace(Pod("one"))
    async with served(namespace) as kubeconfig:
        port = urlsplit(kubeconfig["clusters"][0]["cluster"]["server"]).port
        assert port is not None
    async with (
        _restartable(namespace, port) as (stop, start),
        held(kubeconfig) as holding,
    ):
        assert await holding.call() == "one:8786"
        await stop()
        await until(lambda: any("the Kubernetes API (" in said for said in holding.said))
        await start()
        await holding.call_until("one:8786")


@pytest.mark.asyncio
async def test_a_missing_service_and_a_missing_pod_are_named() -> None:
    namespace = Namespace()
    namespace.selected = None
    async with served(namespace) as kubeconfig, held(kubeconfig) as holding:
        await until(lambda: "waiting for Service dask in namespace fraud" in holding.said)
        namespace.selected = "fraud"
        await until(lambda: "waiting for a scheduler pod" in holding.said)


@asynccontextmanager
async def _restartable(namespace: Namespace, port: int) -> AsyncIterator[tuple[Any, Any]]:
    serving = served(namespace, port)
    await serving.__aenter__()

    async def stop() -> None:
        await serving.__aexit__(None, None, None)

    async def start() -> None:
        nonlocal serving
        serving = served(namespace, port)
        await serving.__aenter__()

    try:
        yield stop, start
    finally:
        await stop()
