"""A front of the bucket that holds one save of a state, for the engine to be killed meanwhile."""

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from http import HTTPStatus
from typing import Literal

from aiohttp import web

from bench.distant import Distance, served, written_name

Moment = Literal["before", "half sent", "after"]
"""Before the bucket has anything of it, with half of its bytes there, or once it is stored."""


@dataclass(frozen=True, kw_only=True)
class Save:
    """One write of a stack's state, the nth of a command."""

    nth: int
    when: Moment


class HeldSaves(Distance):
    """Passes everything on, but for the save that is to be held.

    Args:
        server: host and port of the bucket.
        stack: whose saves are meant.

    """

    def __init__(self, *, server: str, stack: str) -> None:
        super().__init__(server=server, latency_s=0, write_every_s=0)
        self._bucket = server
        self._state = f".pulumi/stacks/daskfleet/{stack}.json"
        self._save: Save | None = None
        self._seen = 0
        self._is_held = threading.Event()
        self._is_over = threading.Event()

    def hold(self, save: Save) -> None:
        """Hold this one of those that come from now on."""
        self._is_held.clear()
        self._is_over.clear()
        self._save, self._seen = save, 0

    def has_one(self) -> bool:
        """Whether a save is held."""
        return self._is_held.is_set()

    def let_go(self) -> None:
        """End what is held; nobody waits for its answer any more."""
        self._save = None
        self._is_over.set()

    async def passed_on(self, request: web.Request, body: bytes) -> web.Response:
        """Ask the bucket, unless this is the save to hold."""
        save = self._save
        if save is None or request.method != "POST" or not self._is_save(request.raw_path):
            return await super().passed_on(request, body)
        self._seen += 1
        if self._seen != save.nth:
            return await super().passed_on(request, body)
        if save.when == "after":
            await super().passed_on(request, body)
        async with self._half_of(request, body, is_sent=save.when == "half sent"):
            self._is_held.set()
            await asyncio.to_thread(self._is_over.wait)
        return web.Response(status=HTTPStatus.SERVICE_UNAVAILABLE)

    def _is_save(self, path: str) -> bool:
        # With the engine's gzip the name ends in `.json.gz`; a copy to `.bak` is no save.
        is_upload = path.startswith("/upload/")
        return is_upload and written_name(path) in {self._state, f"{self._state}.gz"}

    @contextlib.asynccontextmanager
    async def _half_of(
        self, request: web.Request, body: bytes, *, is_sent: bool
    ) -> AsyncIterator[None]:
        """Keep a connection open on which the bucket has half of a request; it ends with that."""
        if not is_sent:
            yield
            return
        host, port = self._bucket.split(":")
        _, writer = await asyncio.open_connection(host, int(port))
        kept = [
            f"{key}: {value}"
            for key, value in request.headers.items()
            if key not in {"Transfer-Encoding", "Content-Length"}
        ]
        head = [f"POST {request.raw_path} HTTP/1.1", *kept, f"Content-Length: {len(body)}"]
        writer.write("\r\n".join([*head, "", ""]).encode() + body[: len(body) // 2])
        try:
            await writer.drain()
            yield
        finally:
            writer.close()
            await writer.wait_closed()


@contextlib.contextmanager
def held_saves(*, server: str, stack: str) -> Iterator[HeldSaves]:
    """Serve a front of the bucket for the length of the block."""
    with served(HeldSaves(server=server, stack=stack)) as front:
        yield front
