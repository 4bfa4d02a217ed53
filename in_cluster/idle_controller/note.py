"""Pure: the note that the controller leaves on a worker group while its workers sleep."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

SINCE = "idle.daskfleet/asleep-since"
DECLARED = "idle.daskfleet/declared-workers"
OPENS_AT = "idle.daskfleet/opens-at"
"""Annotations of a DaskWorkerGroup. The operator copies those to the Deployments that it makes of
the group, and makes none while they are there."""

MANAGER = "daskfleet-idle-controller"
"""Who writes it, in the words of the API server's field managers."""

Document = Mapping[str, Any]
"""An object as the API server answers it."""


@dataclass(frozen=True, kw_only=True)
class Note:
    """That the controller has let a group's workers go."""

    since: datetime
    declared: int
    """Workers that the DaskCluster declared then."""

    opens_at: datetime | None = None
    """When the team's hours begin; None for a team without."""

    @classmethod
    def of(cls, group: Document) -> Self | None:
        """Read the note of a DaskWorkerGroup; None where there is no whole one."""
        annotations = group["metadata"].get("annotations") or {}
        try:
            return cls(
                since=datetime.fromisoformat(annotations[SINCE]),
                declared=int(annotations[DECLARED]),
                opens_at=datetime.fromisoformat(annotations[OPENS_AT])
                if OPENS_AT in annotations
                else None,
            )
        except (KeyError, ValueError):
            return None

    @property
    def annotations(self) -> dict[str, str | None]:
        """Return what a merge patch writes; None removes."""
        return {
            SINCE: self.since.isoformat(timespec="seconds"),
            DECLARED: str(self.declared),
            OPENS_AT: self.opens_at.isoformat(timespec="minutes") if self.opens_at else None,
        }

    @property
    def text(self) -> str:
        """Return what people read."""
        opens = f", or at {self.opens_at:%Y-%m-%d %H:%M} UTC" if self.opens_at else ""
        return (
            f"asleep since {self.since:%Y-%m-%d %H:%M} UTC, {self.declared} declared; they come "
            f"back with the first task{opens}"
        )


NO_NOTE: Mapping[str, None] = {SINCE: None, DECLARED: None, OPENS_AT: None}
"""What a merge patch removes."""


def replicas_of(live: Document) -> int:
    """Return the number of workers that a DaskCluster or DaskWorkerGroup asks for."""
    return int(live["spec"]["worker"].get("replicas", 1))


def asleep(group: Document) -> Note | None:
    """Return the note of a group that sleeps; None for one that somebody has woken."""
    note = Note.of(group)
    return note if note and not replicas_of(group) else None
