"""Looking up a property by its path."""

from collections.abc import Mapping
from typing import Any, TypeGuard

from daskfleet.planning.changes.property_path import parts_of

Parts = tuple[str | int, ...]

MOST_COUNTED = 10**9
"""More of anything is no number of nodes, and may have thousands of digits, or no end."""


def parts_or_key(path: str) -> Parts:
    """The parts of a path; what cannot be read as one is a single key."""
    try:
        return parts_of(path)
    except ValueError:
        return (path,)


def value_at(properties: Any, parts: Parts) -> Any:
    """The value at a path; None where there is none."""
    for part in parts:
        match properties:
            case Mapping():
                properties = properties.get(part)
            case list() if isinstance(part, int) and part < len(properties):
                properties = properties[part]
            case _:
                return None
    return properties


def is_count(value: Any) -> TypeGuard[int | float]:
    """Whether a value is a number of things; whoever wrote the stream chose it."""
    return isinstance(value, int | float) and 0 <= value <= MOST_COUNTED
