"""Pure: values as they may be shown. What people type into an environment may be a secret."""

from collections.abc import Mapping
from typing import Any

from daskfleet.access.redaction.redact import redacted
from daskfleet.access.redaction.shapes import HIDDEN
from daskfleet.platform.drift.model import Path

_MAY_HOLD_SECRETS = frozenset({"env", "data", "stringData"})
"""Whatever its name: here it was not declared in a file that people review, but found."""


def presentable(value: Any, path: Path) -> Any:
    """Return the value at ``path`` without what may be a secret."""
    if value is None:
        return None
    if not _MAY_HOLD_SECRETS.isdisjoint(path):
        return HIDDEN
    if isinstance(value, Mapping):
        return {key: presentable(item, (*path, key)) for key, item in value.items()}
    if isinstance(value, list):
        return [presentable(item, path) for item in value]
    return redacted(value, path)
