"""Requests that a fault holds: seen over HTTP, and let go there."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from http import HTTPStatus

from aiohttp import web

HELD_PATH = "/rehearsal/held"
"""Not Google's: GET lists the requests that are held, DELETE lets all of them go on."""
_LOOK_EVERY_S = 0.02


@dataclass(frozen=True, kw_only=True)
class _Held:
    method: str
    path: str
    released: asyncio.Event = field(default_factory=asyncio.Event)


class HeldRequests:
    """The requests that wait now."""

    def __init__(self) -> None:
        self._held: list[_Held] = []

    async def hold(self, request: web.Request) -> None:
        """Wait until released. Raises ConnectionResetError when the client has gone."""
        held = _Held(method=request.method, path=request.path)
        self._held.append(held)
        try:
            while not held.released.is_set():
                if request.transport is None or request.transport.is_closing():
                    raise ConnectionResetError("the client went while its request was held")
                await asyncio.sleep(_LOOK_EVERY_S)
        finally:
            self._held.remove(held)

    async def list(self, _request: web.Request) -> web.Response:
        """Answer with method and path of each."""
        return web.json_response([{"method": h.method, "path": h.path} for h in self._held])

    async def release(self, _request: web.Request) -> web.Response:
        """Let all go on."""
        for held in self._held:
            held.released.set()
        return web.Response(status=HTTPStatus.NO_CONTENT)
