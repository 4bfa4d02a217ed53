"""Which upgrades a cluster's maintenance exclusions hold back. Pure.

Scopes as cloud.google.com/kubernetes-engine/docs/concepts/maintenance-windows-and-exclusions has
them, read 2026-11-21. Windows are not looked at: whoever asks for an upgrade says that it is time.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rehearsal.emulator.document import Document

_HOLDS_CONTROL_PLANE = {"NO_UPGRADES"}
_HOLDS_NODES = {"NO_UPGRADES", "NO_MINOR_OR_NODE_UPGRADES"}
_HOLDS_MINOR = {"NO_UPGRADES", "NO_MINOR_UPGRADES", "NO_MINOR_OR_NODE_UPGRADES"}


@dataclass(frozen=True, kw_only=True)
class HeldBack:
    """Names of the exclusions that stand against an upgrade."""

    control_plane: tuple[str, ...]
    nodes: tuple[str, ...]


def held_back(policy: Document, *, old: str, new: str, now: datetime) -> HeldBack:
    """Return what keeps GKE from upgrading from one version to another by itself."""
    is_minor = _minor(old) != _minor(new)
    scopes = {
        name: exclusion.get("maintenanceExclusionOptions", {}).get("scope", "NO_UPGRADES")
        for name, exclusion in policy.get("window", {}).get("maintenanceExclusions", {}).items()
        if _time(exclusion["startTime"]) <= now < _time(exclusion["endTime"])
    }
    minor = _HOLDS_MINOR if is_minor else set()
    return HeldBack(
        control_plane=tuple(
            n for n, scope in scopes.items() if scope in _HOLDS_CONTROL_PLANE | minor
        ),
        nodes=tuple(n for n, scope in scopes.items() if scope in _HOLDS_NODES | minor),
    )


def _minor(version: str) -> str:
    return ".".join(version.split(".")[:2])


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)
