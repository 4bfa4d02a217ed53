"""Each source is read by itself: one that fails is a line on the page, and hides nothing else."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar

from daskfleet.platform.report.running.model import Source, SourceName

Value = TypeVar("Value")


@dataclass(frozen=True, kw_only=True)
class Reading(Generic[Value]):
    """What was read, or None, and how that went."""

    value: Value | None
    source: Source


async def read(
    name: SourceName,
    look: Awaitable[Value],
    *,
    lacks: Callable[[Value], tuple[str, ...]] = lambda _: (),
) -> Reading[Value]:
    """Read a source; ``lacks`` names what is missing in what was read."""
    at, began = datetime.now(tz=UTC), time.monotonic()
    try:
        value = await look
    except Exception as error:  # noqa: BLE001 - answers nobody expected hide no other source
        return failed(name, error, at=at, took_s=round(time.monotonic() - began, 2))
    return Reading(
        value=value,
        source=Source(
            name=name,
            read_at=at,
            took_s=round(time.monotonic() - began, 2),
            lacks=lacks(value),
        ),
    )


def failed(
    name: SourceName, error: Exception, *, at: datetime | None = None, took_s: float = 0
) -> Reading[Any]:
    """Return what is said of a source that could not be read."""
    words = str(error) or type(error).__name__
    is_ours = type(error).__module__.startswith("daskfleet.")
    why = words if is_ours else f"{type(error).__name__}: {words}"
    source = Source(name=name, read_at=at or datetime.now(tz=UTC), took_s=took_s, why_not=why)
    return Reading(value=None, source=source)


class Kept(Generic[Value]):
    """A source that takes long: what was read of it stays for a while, and says how old it is."""

    def __init__(self, *, for_s: float) -> None:
        """Read it again after ``for_s`` seconds."""
        self._for_s = for_s
        self._reading: Reading[Value] | None = None
        self._at = 0.0

    async def reading(self, look: Callable[[], Awaitable[Reading[Value]]]) -> Reading[Value]:
        """Return what was read last, or read anew where that is too old."""
        if self._reading is None or time.monotonic() - self._at > self._for_s:
            self._reading = await look()
            self._at = time.monotonic()
        return self._reading


def in_thread(function: Callable[[], Value]) -> Awaitable[Value]:
    """Run what blocks beside everything else."""
    return asyncio.to_thread(function)
