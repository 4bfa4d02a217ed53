"""Pure: what was asked of the two APIs, from the emulator's log and the API server's audit log."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

WRITING_VERBS = ("create", "update", "patch", "delete", "deletecollection")
STORES_NOTHING = ("tokenreviews", "subjectaccessreviews", "selfsubjectaccessreviews")
"""Kubernetes spells these questions as `create`."""

FORBIDDEN = 403

AuditEvent = Mapping[str, Any]
"""An ``audit.k8s.io/v1`` Event."""


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A place in a growing log; what comes after it is read with ``lines_since``."""

    file: Path
    offset: int

    @classmethod
    def now(cls, file: Path) -> "Mark":
        """Mark the present end of ``file``, which need not exist yet."""
        return cls(file=file, offset=file.stat().st_size if file.exists() else 0)

    @classmethod
    def start(cls, file: Path) -> "Mark":
        """Mark the beginning."""
        return cls(file=file, offset=0)


def lines_since(mark: Mark) -> tuple[Mapping[str, Any], ...]:
    """Return the JSON lines that were written after ``mark``; a half-written last one waits."""
    if not mark.file.exists():
        return ()
    with mark.file.open("rb") as log:
        log.seek(mark.offset)
        lines = log.read().split(b"\n")[:-1]
    return tuple(json.loads(line) for line in lines)


def google_writes(requests: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """Name the requests to the emulated Google APIs that ask for a change."""
    return tuple(f"{r['method']} {r['path']}" for r in requests if r["mutating"])


def kubernetes_writes(events: Iterable[AuditEvent], *, user: str) -> tuple[str, ...]:
    """Name the requests of ``user`` that ask for a change; server-side dry runs do not."""
    return tuple(
        _name(event)
        for event in events
        if event["user"]["username"] == user
        and event["verb"] in WRITING_VERBS
        and "dryRun=All" not in event["requestURI"]
        and event.get("objectRef", {}).get("resource") not in STORES_NOTHING
    )


def forbidden_requests(events: Iterable[AuditEvent], *, user: str) -> tuple[str, ...]:
    """Name the requests of ``user`` that its roles did not allow."""
    return tuple(
        _name(event)
        for event in events
        if event["user"]["username"] == user
        and event.get("responseStatus", {}).get("code") == FORBIDDEN
    )


def _name(event: AuditEvent) -> str:
    target = event.get("objectRef", {})
    parts = [target.get(key) for key in ("namespace", "resource", "name", "subresource")]
    return f"{event['verb']} {'/'.join(part for part in parts if part) or event['requestURI']}"
