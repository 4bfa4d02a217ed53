"""Pure: what a scheduler's pages say of its processes and of what it holds (distributed 2026.8)."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from .recycling import Dask, Held, Worker

OWN_CLIENTS = 1
"""The scheduler counts itself, for ``fire_and_forget``."""

AT_REST = {"memory", "released", "error"}
"""States of a task in which a worker does nothing for it."""

GONE = {"closing", "closing_gracefully", "closed"}
SIZE = b"process_resident_memory_bytes "
"""Of the scheduler's process: in the page for Prometheus, which needs its client in the image."""

Page = Mapping[str, Any]


def dask_of(
    *, identity: Page, counts: Page, metrics: bytes | None, idle_since: datetime | None
) -> Dask:
    """Read ``identity.json``, ``counts.json`` and, where there is one, ``/metrics``.

    Raises:
        KeyError, TypeError, ValueError, OverflowError: they are not what distributed writes.
    """
    return Dask(
        idle_since=idle_since,
        workers=tuple(_worker(address, said) for address, said in identity["workers"].items()),
        held=Held(
            tasks=int(counts["tasks"]),
            results=int(counts["memory"]),
            clients=max(0, int(counts["clients"]) - OWN_CLIENTS),
        ),
        scheduler_bytes=_size((metrics or b"").splitlines()),
    )


def _worker(address: str, said: Page) -> Worker:
    metrics = said["metrics"]
    held_bytes = metrics["managed_bytes"] - metrics["spilled_bytes"]["memory"]
    return Worker(
        address=address,
        name=str(said["name"]),
        # Data on a GPU is held, too, and takes none of this memory: what is left may be less.
        own_bytes=max(0.0, float(metrics["memory"] - max(0, held_bytes))),
        is_busy=not AT_REST.issuperset(metrics["task_counts"]),
        is_leaving=said["status"] in GONE,
    )


def _size(lines: Iterable[bytes]) -> float | None:
    return next((float(line[len(SIZE) :]) for line in lines if line.startswith(SIZE)), None)
