"""Lists a cluster's objects again only when they have changed.

A watch says that something has changed, and the list says what: whoever looks sees the API
server's own answer, never a copy that was patched together. While a watch is broken every look
lists.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Generic, TypeVar

import httpx

from rehearsal.kubernetes_requests import UNANSWERED, KubernetesRequests, accept, path_of

WATCH_AGAIN_S = 0.5
_UNBOUNDED = httpx.Timeout(10, read=None)
"""Between two changes there may be hours."""

LOG = logging.getLogger(__name__)

Marks = tuple[int, ...]
"""Where some collections are; equal marks mean that nothing has changed between them."""

T = TypeVar("T")


class Changes(KubernetesRequests):
    """Watches whole collections of one cluster, in all namespaces."""

    def __init__(self, admin_kubeconfig: Path, versions: Mapping[str, str]) -> None:
        """Give each collection's plural with its API version, such as ``{"pods": "v1"}``."""
        super().__init__(admin_kubeconfig)
        self._versions = versions
        self._numbers = dict.fromkeys(versions, 0)
        self._followed: set[str] = set()

    def marks(self, *plurals: str) -> Marks | None:
        """Say where collections are, or None while one of them is not followed.

        Take the marks before the list: what changes in between is listed once more.
        """
        if not self._followed.issuperset(plurals):
            return None
        return tuple(self._numbers[plural] for plural in plurals)

    async def follow(self) -> None:
        """Follow all collections until cancelled."""
        await asyncio.gather(*(self._follow(*each) for each in self._versions.items()))

    async def _follow(self, plural: str, version: str) -> None:
        while True:
            try:
                await self._watch(plural, version)
            except UNANSWERED as error:
                LOG.warning("watching %s: %r", plural, error)
            finally:
                self._followed.discard(plural)
            await asyncio.sleep(WATCH_AGAIN_S)

    async def _watch(self, plural: str, version: str) -> None:
        """Note each change until the API server ends the watch, as it does within the hour.

        Without a resource version it begins with all objects that there are, and misses nothing.
        """
        path = path_of(plural, version=version)
        async with self._client.stream(
            "GET", path, params={"watch": "true"}, timeout=_UNBOUNDED
        ) as answer:
            accept(answer)
            # Whatever was listed while nobody watched may be old by now.
            self._numbers[plural] += 1
            self._followed.add(plural)
            async for _ in answer.aiter_lines():
                self._numbers[plural] += 1


class Listed(Generic[T]):
    """What was last read of some collections, read anew when they have changed since."""

    def __init__(
        self, read: Callable[[], Awaitable[T]], *, of: Changes, plurals: tuple[str, ...]
    ) -> None:
        self._read = read
        self._changes = of
        self._plurals = plurals
        self._last: tuple[Marks, T] | None = None

    async def get(self) -> T:
        """Return it; raises what reading raises."""
        marks = self._changes.marks(*self._plurals)
        if marks is not None and self._last is not None and self._last[0] == marks:
            return self._last[1]
        value = await self._read()
        self._last = None if marks is None else (marks, value)
        return value

    def forget(self) -> None:
        """Read anew the next time: the caller has made a change of which no watch has told yet."""
        self._last = None
