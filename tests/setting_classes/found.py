"""What a change of a setting does at worst, by the inputs that it changes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from daskfleet.catalog.changes import ChangeClass, ChangeRow
from daskfleet.planning.changes.property_path import is_within, keys_of
from daskfleet.planning.changes.rules import row_of
from tests.recorded_program import Recording, Registration

NOTICE = "-notice"
"""How names of what members are told end: the notice of a setting is not what it does."""

Resource = tuple[str, str]
"""Type and name."""


@dataclass(frozen=True, kw_only=True)
class Found:
    """The worst that a change does, and the row of the table that says so; None: nothing."""

    change_class: ChangeClass
    row: ChangeRow | None


def worst_of(before: Recording, after: Recording) -> Found:
    """Compare what the program declares before and after a change.

    What the engine would do with an input, and whether numbers grow, is taken as the worst of the
    table's rows: the value that a test changes to is one of many.
    """
    rows = [*_rows(_resources(before), _resources(after))]
    worst = max(rows, key=_telling, default=None)
    return Found(change_class=worst.change_class if worst else ChangeClass.NOTHING, row=worst)


def _telling(row: ChangeRow) -> tuple[ChangeClass, bool, bool, str]:
    """Of rows that are equally bad, what Dask and Google do says more than what Kubernetes does."""
    return (row.change_class, "dask.org" in row.type, row.type.startswith("gcp:"), row.what)


def _resources(recording: Recording) -> dict[Resource, Registration]:
    return {
        (each.type, each.name): each
        for each in recording.registrations
        if each.is_custom and not each.name.endswith(NOTICE)
    }


def _rows(
    before: Mapping[Resource, Registration], after: Mapping[Resource, Registration]
) -> Iterator[ChangeRow]:
    for token, name in before.keys() - after.keys():
        yield row_of(token, name=name, operation="delete")
    for token, name in after.keys() - before.keys():
        yield row_of(token, name=name, operation="create")
    for resource in before.keys() & after.keys():
        token, name = resource
        ignored = [keys_of(path) for path in after[resource].ignore_changes]
        for keys in set(_differing(before[resource].inputs, after[resource].inputs, ())):
            if not any(is_within(keys, path) for path in ignored):
                yield row_of(token, _spelled(keys), name=name)


def _differing(old: Any, new: Any, keys: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if old == new:
        return
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in old.keys() | new.keys():
            yield from _differing(old.get(key), new.get(key), (*keys, key))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for one, other in zip(old, new, strict=True):
            yield from _differing(one, other, keys)
    else:
        yield keys


def _spelled(keys: tuple[str, ...]) -> str:
    return "".join(f'["{key}"]' if "." in key else f".{key}" for key in keys).lstrip(".")
