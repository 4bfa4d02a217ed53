"""Pure: values as they may be shown. What people type into an environment may be a secret."""

from collections.abc import Mapping
from typing import Any

from drift.model import Path

HIDDEN = "(not shown: may hold a secret)"
_MAY_HOLD_SECRETS = frozenset({"env", "data", "stringData"})
_LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


def presentable(value: Any, path: Path) -> Any:
    """Return the value at ``path`` without what may be a secret."""
    if value is None:
        return None
    if not _MAY_HOLD_SECRETS.isdisjoint(path) or _LAST_APPLIED in path:
        return HIDDEN
    if isinstance(value, Mapping):
        return {key: presentable(item, (*path, key)) for key, item in value.items()}
    if isinstance(value, list):
        return [presentable(item, path) for item in value]
    return value
