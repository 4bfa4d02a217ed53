"""Pure: environment lists compared by name, since the engine compares them by position.

One variable more at the beginning would else be a change of every variable after it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from daskfleet.platform.review.engine_step import Properties
from daskfleet.platform.review.property_values import Parts, value_at

_LIST = "env"
IN_ANOTHER_ORDER = "(the same variables in another order)"


@dataclass(frozen=True, kw_only=True)
class NamedChange:
    """One variable that comes, goes or has another value; without a name: their order changes."""

    name: str
    kind: str
    old: Any
    new: Any


def named_list_at(parts: Parts, old: Properties, new: Properties) -> Parts | None:
    """The path of the environment list that a path lies in; None where it lies in none."""
    for length in range(1, len(parts) + 1):
        at = parts[:length]
        if is_named_list(at, value_at(old, at), value_at(new, at)):
            return at
    return None


def is_named_list(at: Parts, old: Any, new: Any) -> bool:
    """Whether two lists can be compared by the names of their entries."""
    return at[-1:] == (_LIST,) and _is_named(old) and _is_named(new)


def changes_of_named(old: Any, new: Any) -> Iterator[NamedChange]:
    """What differs between two lists of named entries."""
    before, after = (
        {entry["name"]: entry for entry in entries} for entries in (old or [], new or [])
    )
    is_silent = True
    for name in sorted(before.keys() | after.keys()):
        was, will_be = before.get(name), after.get(name)
        if was == will_be:
            continue
        is_silent = False
        kind = "add" if was is None else "delete" if will_be is None else "update"
        yield NamedChange(name=name, kind=kind, old=_said(was), new=_said(will_be))
    if is_silent and old != new:
        yield NamedChange(name="", kind="update", old=IN_ANOTHER_ORDER, new=IN_ANOTHER_ORDER)


def _said(entry: Any) -> Any:
    """A variable's value, or where it comes from."""
    if entry is None:
        return None
    rest = {key: item for key, item in entry.items() if key != "name"}
    return rest["value"] if set(rest) == {"value"} else rest


def _is_named(entries: Any) -> bool:
    if entries is None:
        return True
    if not isinstance(entries, list):
        return False
    names = [entry.get("name") if isinstance(entry, dict) else None for entry in entries]
    return None not in names and len(set(names)) == len(names)
