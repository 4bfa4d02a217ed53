"""Pure: what the controller leaves behind: a note on a node, and the reasons of its events."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

SINCE = "health.daskfleet/drained-since"
WHY = "health.daskfleet/why"
"""Annotations of a Node. A repair that makes the machine anew makes the Node anew, without them."""

SICK = "SickGpu"
"""Reason of an event about a worker whose node stays as it is."""

LEFT = "LeftSickGpu"
"""Reason of an event about a worker that was taken off its node."""

PREFIX = "health.daskfleet/"
MANAGER = "daskfleet-gpu-health"
"""Who writes it, in the words of the API server's field managers."""

Document = Mapping[str, Any]
"""An object as the API server answers it."""


@dataclass(frozen=True, kw_only=True)
class Note:
    """That the controller has taken a node."""

    since: datetime
    why: str

    @classmethod
    def of(cls, node: Document) -> Self | None:
        """Read the note of a Node; None where there is no whole one."""
        annotations = node["metadata"].get("annotations") or {}
        try:
            return cls(since=datetime.fromisoformat(annotations[SINCE]), why=annotations[WHY])
        except (KeyError, ValueError):
            return None

    @property
    def annotations(self) -> dict[str, str | None]:
        """Return what a merge patch writes."""
        return {SINCE: self.since.isoformat(timespec="seconds"), WHY: self.why}


NO_NOTE: Mapping[str, None] = {SINCE: None, WHY: None}
"""What a merge patch removes."""
