"""The log of all requests, one JSON object per line: what tests and the report assert on."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from daskfleet.files import OWNER_ONLY, OWNER_ONLY_DIRECTORY

if TYPE_CHECKING:
    from pathlib import Path

    from rehearsal.emulator.document import Document

_READING_POSTS = ("getIamPolicy", "testIamPermissions", "getEffectiveOrgPolicy", "batchGet")


@dataclass(frozen=True, kw_only=True)
class LoggedRequest:
    """One request and what became of it."""

    time: str
    method: str
    path: str
    query: str
    body: Document | None
    status: int
    """HTTP status; 0 when the connection was closed without an answer."""
    error: str
    """The error's text, empty on success."""
    api_method: str
    """Google's method id, e.g. ``container.projects.locations.clusters.get``; empty if unknown."""
    mutating: bool


def is_mutating(*, http_method: str, path: str) -> bool:
    """Tell whether a request asks for a change; some of Google's POSTs only read."""
    return http_method != "GET" and not path.endswith(_READING_POSTS)


def now() -> str:
    """Return the time as Google writes it (RFC 3339, UTC)."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class RequestLog:
    """Appends to a JSON lines file; readable at any time."""

    def __init__(self, path: Path) -> None:
        """Append to ``path``, creating its directory."""
        path.parent.mkdir(parents=True, exist_ok=True, mode=OWNER_ONLY_DIRECTORY)
        path.touch(mode=OWNER_ONLY)
        self.path = path

    def append(self, request: LoggedRequest) -> None:
        """Write one line."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(request)) + "\n")

    def read(self) -> tuple[LoggedRequest, ...]:
        """Return all requests so far, oldest first."""
        if not self.path.exists():
            return ()
        lines = self.path.read_text(encoding="utf-8").splitlines()
        return tuple(LoggedRequest(**json.loads(line)) for line in lines)
