"""The engine's event stream, reduced to what a person watching an update wants to know.

One JSON object per line (apitype.EngineEvent, pulumi/pulumi sdk/go/common/apitype/events.go).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

QUIET = ("same", "read", "replace", "refresh")
"""Operations that leave a resource alone, or are told by the steps that they consist of."""


@dataclass(frozen=True, kw_only=True)
class ResourceEvent:
    """A step on one resource began, ended, or failed."""

    moment: Literal["began", "ended", "failed"]
    operation: str
    """The engine's word: create, update, delete, same, create-replacement, ..."""
    urn: str
    is_component: bool = False
    """Whether this only groups resources (the stack itself does too)."""

    @property
    def name(self) -> str:
        """Type and name without package and parents, for example ``NodePool a100``."""
        kind, name = self.urn.split("::")[-2:]
        return f"{kind.split(':')[-1]} {name}"

    @property
    def is_work(self) -> bool:
        """Whether something is done to a resource."""
        return not self.is_component and self.operation not in QUIET


@dataclass(frozen=True, kw_only=True)
class Diagnostic:
    """Something that the program, a provider or the engine says."""

    severity: Literal["info", "info#err", "warning", "error"]
    message: str
    urn: str
    is_ephemeral: bool
    """Progress that the next message supersedes."""


@dataclass(frozen=True, kw_only=True)
class Summary:
    """How many resources an update changed, by operation."""

    changes: Mapping[str, int]


Event = ResourceEvent | Diagnostic | Summary

_MOMENTS: Mapping[str, Literal["began", "ended", "failed"]] = {
    "resourcePreEvent": "began",
    "resOutputsEvent": "ended",
    "resOpFailedEvent": "failed",
}


def parse_event(line: str) -> Event | None:
    """Read one line; None when it holds nothing to show, for example debug output.

    Raises ValueError when the line is not JSON.
    """
    event = json.loads(line)
    for key, moment in _MOMENTS.items():
        if key in event:
            metadata = event[key]["metadata"]
            return ResourceEvent(
                moment=moment,
                operation=metadata["op"],
                urn=metadata["urn"],
                is_component=not metadata.get("provider"),
            )
    if "diagnosticEvent" in event:
        return _diagnostic(event["diagnosticEvent"])
    if "summaryEvent" in event:
        return Summary(changes=event["summaryEvent"].get("resourceChanges") or {})
    return None


def _diagnostic(event: Mapping[str, str]) -> Diagnostic | None:
    severity = event.get("severity", "info")
    message = event.get("message", "").strip()
    if severity not in {"info", "info#err", "warning", "error"} or not message:
        return None
    return Diagnostic(
        severity=severity,  # type: ignore[arg-type]  # narrowed by the line above
        message=message,
        urn=event.get("urn", ""),
        is_ephemeral=bool(event.get("ephemeral")),
    )
