"""When to look at a namespace again: once something has changed there, or after a while."""

import asyncio
import contextlib
import functools
from typing import Self

from components.gates.namespace_api import NamespaceApi

LOOK_EVERY_S = 2.0
"""Without a change. A watch tells of one kind only, and may break; what it misses is found then."""

BURST_S = 0.2
"""Changes come in bursts, and a look is half a dozen requests: no more than one look in this."""

PLACES = asyncio.Semaphore(50)
"""For the watches of all teams: httpx opens at most 100 connections, and looks need some, too."""


class NamespaceWatch:
    """Wakes who looks again and again when objects of one kind, with these labels, change.

    It decides nothing: whoever is woken looks at everything. So what breaks a watch matters to
    nobody, and the next one begins with the objects as they are: it cannot begin too late.
    """

    def __init__(self, api: NamespaceApi, version: str, plural: str, **labels: str) -> None:
        self._changes = functools.partial(api.changes, version, plural, **labels)
        self._changed = asyncio.Event()
        self._watching: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.wait([self._watching])

    async def change(self) -> None:
        """Return when something has changed since the last return, or after ``LOOK_EVERY_S``.

        The first call begins to watch: where the first look is enough, nothing is opened.
        """
        if self._watching is None:
            self._watching = asyncio.create_task(self._watch())
        await asyncio.sleep(BURST_S)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LOOK_EVERY_S - BURST_S):
                await self._changed.wait()
        self._changed.clear()

    async def _watch(self) -> None:
        while True:
            # Whatever breaks it: the looks ask the same server, and tell what is wrong with it.
            with contextlib.suppress(Exception):
                async with PLACES:
                    async for _ in self._changes():
                        self._changed.set()
            await asyncio.sleep(LOOK_EVERY_S)
