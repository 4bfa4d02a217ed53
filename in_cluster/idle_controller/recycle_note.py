"""Pure: the notes that the controller leaves on a worker group of processes that began anew."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

PREFIX = "recycle.daskfleet"
SCHEDULER_STARTED = f"{PREFIX}/scheduler-started"
SCHEDULER_WHY = f"{PREFIX}/scheduler-why"
SCHEDULER_HELD = f"{PREFIX}/scheduler-held"
SCHEDULER_ENDS = f"{PREFIX}/scheduler-ends"
WORKER = f"{PREFIX}/worker"
WORKER_AT = f"{PREFIX}/worker-at"
WORKER_WHY = f"{PREFIX}/worker-why"

UNKNOWN = "unknown"
NOT_RECYCLED = "not recycled: it ended by itself, or its pod or node went"

Document = Mapping[str, Any]
"""An object as the API server answers it."""


@dataclass(frozen=True, kw_only=True)
class SchedulerNote:
    """Which scheduler runs, and what was before it."""

    started: datetime
    why: str | None = None
    """Why the one before it ended; None when none has, since the team's processes are recycled."""

    held: str | None = None
    """What that one held, as far as is known."""

    ends: bool = False
    """Whether the controller is about to end the one that runs."""

    @classmethod
    def of(cls, group: Document) -> Self | None:
        """Read the note of a DaskWorkerGroup; None where there is no whole one."""
        annotations = group["metadata"].get("annotations") or {}
        try:
            return cls(
                started=datetime.fromisoformat(annotations[SCHEDULER_STARTED]),
                why=annotations.get(SCHEDULER_WHY),
                held=annotations.get(SCHEDULER_HELD),
                ends=SCHEDULER_ENDS in annotations,
            )
        except (KeyError, ValueError):
            return None

    @property
    def annotations(self) -> dict[str, str | None]:
        """Return what a merge patch writes; None removes."""
        return {
            SCHEDULER_STARTED: self.started.isoformat(timespec="seconds"),
            SCHEDULER_WHY: self.why,
            SCHEDULER_HELD: self.held,
            SCHEDULER_ENDS: "true" if self.ends else None,
        }

    @property
    def text(self) -> str | None:
        """Return what people read; None when no scheduler has ended."""
        if self.why is None or self.ends:
            return None
        return (
            f"scheduler began anew at {self.started:%Y-%m-%d %H:%M} UTC ({self.why}); the one "
            f"before it held {self.held or UNKNOWN}"
        )


def succeeded(
    note: SchedulerNote | None, *, started: datetime, last_held: str | None
) -> SchedulerNote | None:
    """Return the note of a scheduler that was not there before; None where it was.

    Args:
        note: the one that is written.
        started: when the scheduler that runs was started.
        last_held: what the one before it held when it was last asked; None when nobody did.
    """
    if note is None:
        return SchedulerNote(started=started)
    if note.started == started:
        return None
    if note.ends:
        return SchedulerNote(started=started, why=note.why, held=note.held)
    return SchedulerNote(started=started, why=NOT_RECYCLED, held=last_held or UNKNOWN)


def worker_note(*, pod: str, at: datetime, why: str) -> dict[str, str | None]:
    """Return what a merge patch writes of a worker that began anew."""
    return {WORKER: pod, WORKER_AT: at.isoformat(timespec="seconds"), WORKER_WHY: why}


def worker_text(group: Document) -> str | None:
    """Return what people read of the last worker; None when none was recycled."""
    annotations = group["metadata"].get("annotations") or {}
    try:
        at = datetime.fromisoformat(annotations[WORKER_AT])
        return (
            f"worker {annotations[WORKER]} began anew at {at:%Y-%m-%d %H:%M} UTC "
            f"({annotations[WORKER_WHY]}); its results were moved first"
        )
    except (KeyError, ValueError):
        return None
