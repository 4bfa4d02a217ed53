"""Quiescence: nothing changes any more, so that all that the emulator holds can be kept."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import contextmanager
from http import HTTPStatus
from typing import TYPE_CHECKING

from aiohttp import web

from rehearsal.emulator.errors import GoogleError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Iterator

    from aiohttp.typedefs import Handler

QUIESCE_PATH = "/rehearsal/rest"
"""Not Google's: POST here, and nothing changes from the answer on, until the emulator has stopped.
While something cannot be brought to its end the answer is 409, names it, and all goes on."""

PATIENCE_S = 20.0
"""For what is at work when rest is asked for; with documented durations it may take longer."""

_LOOK_EVERY_S = 0.05
_READS = "GET"


class Quiescence:
    """Knows what is at work, and lets nothing begin while rest is asked for."""

    def __init__(
        self, unfinished: Callable[[], Iterable[str]], *, reached: Callable[[], None]
    ) -> None:
        """Ask ``unfinished`` for the operations that run; call ``reached`` when all is quiet."""
        self._unfinished = unfinished
        self._reached = reached
        self._at_work: Counter[str] = Counter()
        self._is_asked = False
        self.is_reached = False

    async def again_and_again(
        self, what: str, look: Callable[[], Awaitable[object]], *, every_s: float
    ) -> None:
        """Do something in rounds until cancelled, and none while rest is asked for."""
        while True:
            if not self._is_asked:
                with self._work(what):
                    await look()
            await asyncio.sleep(every_s)

    @web.middleware
    async def guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Answer requests that change something, and refuse them while rest is asked for."""
        if request.method == _READS or request.path == QUIESCE_PATH:
            return await handler(request)
        if self._is_asked:
            refusal = GoogleError(
                HTTPStatus.SERVICE_UNAVAILABLE,
                "The emulated Google Cloud is being saved, and takes no changes meanwhile.",
                reason="backendError",
                status="UNAVAILABLE",
            )
            return web.json_response(refusal.body(), status=refusal.code)
        with self._work(f"{request.method} {request.path}"):
            return await handler(request)

    async def post(self, _request: web.Request) -> web.Response:
        """Come to rest, or say what keeps from it."""
        self._is_asked = True
        try:
            async with asyncio.timeout(PATIENCE_S):
                while self._going_on():  # noqa: ASYNC110 - many things, none of which tells
                    await asyncio.sleep(_LOOK_EVERY_S)
        except TimeoutError:
            self._is_asked = False
            return web.Response(status=HTTPStatus.CONFLICT, text=", ".join(self._going_on()))
        self.is_reached = True
        self._reached()
        return web.Response(status=HTTPStatus.NO_CONTENT)

    def _going_on(self) -> tuple[str, ...]:
        return (*self._at_work, *self._unfinished())

    @contextmanager
    def _work(self, what: str) -> Iterator[None]:
        self._at_work[what] += 1
        try:
            yield
        finally:
            self._at_work -= Counter({what: 1})
