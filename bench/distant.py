"""A proxy that makes a server of this machine a distant one, and counts what is asked of it."""

import asyncio
import contextlib
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TypeVar
from urllib.parse import parse_qs, unquote, urlsplit

from aiohttp import ClientSession, web
from yarl import URL

MOST_BYTES = 1024**3
"""Of one request; a state has a few MB."""

NOT_PASSED_ON = ("Host", "Transfer-Encoding", "Connection", "Content-Length", "Date", "Server")

TOO_OFTEN = {
    "error": {
        "code": 429,
        "message": "The object exceeded the rate limit for object mutation operations.",
        "errors": [{"domain": "usageLimits", "reason": "rateLimitExceeded"}],
    }
}
_COPY = "/rewriteTo/"
_SESSION = web.AppKey("session", ClientSession)
_Distance = TypeVar("_Distance", bound="Distance")


@dataclass
class Asked:
    """What was asked of Cloud Storage since the last look."""

    requests: Counter[str] = field(default_factory=Counter)
    """By kind: list, look, read, write, copy, delete."""
    refused: int = 0
    """Of these, writes that came too often."""
    writes: Counter[str] = field(default_factory=Counter)
    """Those that were not refused, by the object's name; copies to it count."""
    sent_bytes: int = 0
    received_bytes: int = 0


class Distance:
    """Lets each request wait, passes it on, and counts it.

    Args:
        server: host and port of what is behind it; it may start later.
        latency_s: how long each request waits before it is passed on.
        write_every_s: a write of an object comes too often when it comes sooner after the last.

    """

    def __init__(self, *, server: str, latency_s: float, write_every_s: float) -> None:
        self._server = server
        self._latency_s = latency_s
        self._write_every_s = write_every_s
        self._written_at_s: dict[str, float] = {}
        self._asked = Asked()
        self.address = ""

    def taken(self) -> Asked:
        """Return what was asked since the last look, and begin anew."""
        taken, self._asked = self._asked, Asked()
        return taken

    async def start(self) -> web.AppRunner:
        """Listen at an address of its own."""
        application = web.Application(client_max_size=MOST_BYTES)
        application.cleanup_ctx.append(_session)
        application.router.add_route("*", "/{path:.*}", self._answer)
        runner = web.AppRunner(application, auto_decompress=False)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        host, port = runner.addresses[0][:2]
        self.address = f"{host}:{port}"
        return runner

    async def _answer(self, request: web.Request) -> web.Response:
        body = await request.read()
        self._asked.requests[kind_of(request.method, request.raw_path)] += 1
        self._asked.sent_bytes += len(body)
        await asyncio.sleep(self._latency_s)
        if written := written_name(request.raw_path):
            now_s = time.monotonic()
            if now_s < self._written_at_s.get(written, -self._write_every_s) + self._write_every_s:
                self._asked.refused += 1
                return web.json_response(TOO_OFTEN, status=HTTPStatus.TOO_MANY_REQUESTS)
            self._written_at_s[written] = now_s
            self._asked.writes[written] += 1
        return await self.passed_on(request, body)

    async def passed_on(self, request: web.Request, body: bytes) -> web.Response:
        """Ask the server, and return its answer."""
        url = URL(f"http://{self._server}{request.raw_path}", encoded=True)
        headers = [(k, v) for k, v in request.headers.items() if k not in NOT_PASSED_ON]
        session = request.app[_SESSION]
        async with session.request(
            request.method, url, headers=headers, data=body, allow_redirects=False
        ) as answer:
            said = await answer.read()
            self._asked.received_bytes += len(said)
            kept = [(k, v) for k, v in answer.headers.items() if k not in NOT_PASSED_ON]
            return web.Response(status=answer.status, headers=kept, body=said)


async def _session(application: web.Application) -> AsyncIterator[None]:
    async with ClientSession(auto_decompress=False) as session:
        application[_SESSION] = session
        yield


def kind_of(method: str, path: str) -> str:
    """Tell what a request of the JSON API, or a read of the XML API, is for."""
    parts = urlsplit(path)
    if parts.path.startswith("/upload/"):
        return "write"
    if method == "DELETE":
        return "delete"
    if _COPY in parts.path:
        return "copy"
    if not parts.path.startswith("/storage/v1/") or "media" in parse_qs(parts.query).get("alt", ()):
        return "read"
    return "list" if parts.path.endswith("/o") else "look"


def written_name(path: str) -> str:
    """Tell which object an upload or a copy writes; empty: none."""
    parts = urlsplit(path)
    if parts.path.startswith("/upload/"):
        return parse_qs(parts.query).get("name", [""])[0]
    _, _, target = parts.path.partition(_COPY)
    return unquote(target.partition("/o/")[2])


@contextlib.contextmanager
def at_a_distance(*, server: str, latency_s: float, write_every_s: float) -> Iterator[Distance]:
    """Serve a ``Distance`` from a thread for the length of the block."""
    with served(
        Distance(server=server, latency_s=latency_s, write_every_s=write_every_s)
    ) as distance:
        yield distance


@contextlib.contextmanager
def served(distance: _Distance) -> Iterator[_Distance]:
    """Serve one, of whatever kind, from a thread for the length of the block."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    runner = asyncio.run_coroutine_threadsafe(distance.start(), loop).result()
    try:
        yield distance
    finally:
        asyncio.run_coroutine_threadsafe(runner.cleanup(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
