"""Pure: what a scheduler's pages say of its processes (distributed 2026.8)."""

from collections.abc import Iterable, Mapping
from typing import Any

from .recycling import Processes, Worker

OWN_CLIENTS = 1
"""The scheduler counts itself, for ``fire_and_forget``."""

AT_REST = {"memory", "released", "error"}
"""States of a task in which a worker does nothing for it."""

GONE = {"closing", "closing_gracefully", "closed"}
SIZE = b"process_resident_memory_bytes "
"""Of the scheduler's process: in the page for Prometheus, which needs its client in the image."""

Page = Mapping[str, Any]


def processes_of(identity: Page, *, metrics: bytes) -> Processes:
    """Read ``identity.json`` and, where it was asked for, ``/metrics``.

    Raises:
        KeyError, TypeError, ValueError, OverflowError: they are not what distributed writes.
    """
    workers = identity["workers"]
    if not isinstance(workers, dict):
        raise TypeError(f"{workers!r:.100} names no workers")
    return Processes(
        workers=tuple(_worker(address, said) for address, said in workers.items()),
        scheduler_bytes=_size(metrics.splitlines()),
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
