"""Waiting for results no longer than they are worth."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from distributed import Client, Future

AHEAD_OF_OTHERS = 1000
"""Priority of the probe's tasks: a team's queue may be hours long, and these take milliseconds."""


@dataclass(frozen=True)
class Ended:
    """How a wait ended."""

    result: Any = None
    error: Exception | None = None
    is_overdue: bool = False


@asynccontextmanager
async def cancelled_after(client: Client, futures: Sequence["Future[Any]"]) -> AsyncIterator[None]:
    """Let no task outlive its use: one that waits for a missing resource would stay for ever."""
    try:
        yield
    finally:
        await client.cancel(list(futures), force=True)


async def ended(awaitable: Awaitable[Any], *, timeout_s: float) -> Ended:
    """Wait for a result."""
    begun = asyncio.ensure_future(_awaited(awaitable))
    done, _ = await asyncio.wait([begun], timeout=timeout_s)
    if not done:
        begun.cancel()
        return Ended(is_overdue=True)
    error = begun.exception()
    if error is None:
        return Ended(result=begun.result())
    if not isinstance(error, Exception):
        raise error
    return Ended(error=error)


async def all_ended(awaitables: Sequence[Awaitable[Any]], *, timeout_s: float) -> list[Ended]:
    """Wait for all, within one time."""
    return await asyncio.gather(*(ended(each, timeout_s=timeout_s) for each in awaitables))


async def _awaited(awaitable: Awaitable[Any]) -> Any:
    return await awaitable
