"""Unit: a page of a pod by its port, however the pod answers."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import kr8s.asyncio
import pytest
from aiohttp import WSMsgType, web

from daskfleet.access.kubernetes_api import connected
from daskfleet.access.pod_http import TIMEOUT_S, UnansweredError, fetch
from tests.daskfleet.access.played_api import VERSION, kubeconfig_to

PORT = 8787
MOST_BYTES = 1000

Say = Callable[[bytes], Awaitable[None]]
Pod = Callable[[str, Say], Awaitable[None]]
"""What the pod does with a request: its text, and how to answer."""


@asynccontextmanager
async def api_to(pod: Pod) -> AsyncIterator[kr8s.asyncio.Api]:
    """Log in to an API server whose one pod answers like this."""

    async def forward(request: web.Request) -> web.StreamResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        for channel in (0, 1):
            await socket.send_bytes(bytes([channel]) + PORT.to_bytes(2, "little"))

        async def say(data: bytes) -> None:
            await socket.send_bytes(b"\x00" + data)

        heard = b""
        async for message in socket:
            if message.type == WSMsgType.BINARY:
                heard += message.data[1:]
            if b"\r\n\r\n" in heard:
                await pod(heard.decode(), say)
                break
        return socket

    async def version(_: web.Request) -> web.Response:
        return web.json_response(VERSION)

    app = web.Application()
    app.router.add_get("/version/", version)
    app.router.add_get("/api/v1/namespaces/fraud/pods/s/portforward", forward)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    server = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        async with connected(kubeconfig_to(server), request_timeout_s=5) as api:
            yield api
    finally:
        await runner.cleanup()


def fetched(
    pod: Pod, *, named: str = "s", body: bytes | None = None, timeout_s: float = TIMEOUT_S
) -> bytes:
    async def run() -> bytes:
        async with api_to(pod) as api:
            return await fetch(
                api,
                namespace="fraud",
                pod=named,
                url=f"http://alpha-scheduler.fraud:{PORT}/json/counts.json",
                body=body,
                most_bytes=MOST_BYTES,
                timeout_s=timeout_s,
            )

    return asyncio.run(run())


def answering(*pieces: bytes) -> Pod:
    async def pod(_: str, say: Say) -> None:
        for piece in pieces:
            await say(piece)

    return pod


def test_a_page_comes_whole_in_whatever_pieces() -> None:
    asked: list[str] = []

    async def pod(request: str, say: Say) -> None:
        asked.append(request)
        await say(b"HTTP/1.1 200 OK\r\nContent-Len")
        await say(b"gth: 6\r\n\r\n{}")
        await say(b"    ")

    assert fetched(pod) == b"{}    "
    assert asked[0].startswith("GET /json/counts.json HTTP/1.1\r\n")
    assert "\r\nHost: alpha-scheduler.fraud:8787\r\n" in asked[0]
    assert "\r\nAccept-Encoding: identity\r\n" in asked[0]


def test_a_body_is_posted_with_its_length() -> None:
    asked: list[str] = []

    async def pod(request: str, say: Say) -> None:
        asked.append(request)
        await say(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")

    assert fetched(pod, body=b'{"n": 1}') == b"{}"
    assert asked[0].startswith("POST /json/counts.json HTTP/1.1\r\n")
    assert "\r\nContent-Length: 8\r\n" in asked[0]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (b"HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n", "answers 500"),
        (
            b"HTTP/1.1 302 Found\r\nLocation: http://10.0.0.1/\r\nContent-Length: 0\r\n\r\n",
            "answers 302",
        ),
        (b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * (MOST_BYTES + 1), "longer than 1,000 bytes"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}", "port 8787 of pod s: "),
        (b"\x15\x03\x03\x00\x02\x02\x46", "port 8787 of pod s: "),
        (b"HTTP/1.1 200 OK\r\nA: " + b"x" * 200_000, "port 8787 of pod s: "),
        (b"", "port 8787 of pod s: "),
    ],
)
def test_an_answer_that_is_none_is_told(answer: bytes, words: str) -> None:
    with pytest.raises(UnansweredError, match=words):
        fetched(answering(answer))


def test_an_answer_that_comes_a_byte_at_a_time_has_an_end() -> None:
    async def pod(_: str, say: Say) -> None:
        await say(b"HTTP/1.1 200 OK\r\n\r\n")
        for _byte in range(100):
            await say(b" ")
            await asyncio.sleep(0.05)

    began = time.monotonic()
    with pytest.raises(UnansweredError, match=r"no whole answer within 0\.5 s"):
        fetched(pod, timeout_s=0.5)
    assert time.monotonic() - began < 4


def test_a_pod_that_is_gone_is_told() -> None:
    with pytest.raises(UnansweredError, match="pod gone"):
        fetched(answering(), named="gone")
