"""JSON documents as Google and Kubernetes exchange them, and the few operations on them."""

from __future__ import annotations

import copy
from typing import Any

Document = dict[str, Any]
"""A JSON object of Google's REST APIs or of Kubernetes: its schema is theirs, not ours."""


def merged(base: Document, over: Document) -> Document:
    """Return ``base`` overlaid with ``over``: objects merge by key, everything else is replaced."""
    result = copy.deepcopy(base)
    for key, value in over.items():
        if isinstance(value, dict) and isinstance(result.get(key), dict):
            result[key] = merged(result[key], value)
        else:
            result[key] = copy.deepcopy(value)
    return result


def without_nulls(value: Any) -> Any:
    """Drop every null: in proto3 JSON a null field is the same as an absent one."""
    if isinstance(value, dict):
        return {k: without_nulls(v) for k, v in value.items() if v is not None}
    if isinstance(value, list):
        return [without_nulls(item) for item in value if item is not None]
    return value


def last_segment(reference: str) -> str:
    """Return the name at the end of a resource link, full or partial."""
    return reference.rstrip("/").rsplit("/", 1)[-1]
