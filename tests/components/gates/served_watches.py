"""Watches as an API server serves them, and the ways in which they break."""

import asyncio
import json
from collections.abc import Iterable
from typing import Any, Literal

from aiohttp import web

Fault = Literal["forbidden", "refused", "too old", "ended", "reset", "silent"]


class Watches:
    """All watches of a namespace; each hears of every change, as if all were of its kind."""

    def __init__(self) -> None:
        self.opened = 0
        self.fault: Fault | None = None
        """What becomes of every watch that is opened from now on."""

        self._open: set[asyncio.Queue[str]] = set()

    @property
    def open_now(self) -> int:
        """How many clients watch."""
        return len(self._open)

    def tell(self) -> None:
        """Something has changed."""
        for queue in self._open:
            queue.put_nowait("MODIFIED")

    async def serve(self, request: web.Request, *, of: web.Response) -> web.StreamResponse:
        """Answer a watch of what was listed just now: first all of it, and then each change."""
        assert request.query["watch"] == "true"
        assert "resourceVersion" not in request.query
        self.opened += 1
        if self.fault == "forbidden":
            return web.json_response({"message": "pods is forbidden"}, status=403)
        if self.fault == "refused":
            return web.json_response({"message": "etcdserver: leader changed"}, status=500)
        queue: asyncio.Queue[str] = asyncio.Queue()
        self._open.add(queue)
        try:
            return await self._follow(request, json.loads(of.text or "")["items"], queue)
        finally:
            self._open.discard(queue)

    async def _follow(
        self, request: web.Request, objects: Iterable[dict[str, Any]], queue: "asyncio.Queue[str]"
    ) -> web.StreamResponse:
        if self.fault == "silent":
            await asyncio.Event().wait()
        response = web.StreamResponse()
        await response.prepare(request)
        if self.fault == "too old":
            await response.write(_line("ERROR", {"kind": "Status", "code": 410}))
            return response
        for each in objects:
            await response.write(_line("ADDED", each))
        if self.fault == "reset":
            assert request.transport is not None
            request.transport.abort()
        if self.fault in {"ended", "reset"}:
            return response
        while True:
            await response.write(_line(await queue.get(), {"kind": "Pod"}))


def _line(kind: str, seen: dict[str, Any]) -> bytes:
    return json.dumps({"type": kind, "object": seen}).encode() + b"\n"
