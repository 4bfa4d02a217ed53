"""What the change of one input does, looked up in the catalog's table."""

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import Literal

from daskfleet.catalog.changes import ChangeClass, ChangeRow, Operation, change_rows
from daskfleet.planning.changes.property_path import is_within, keys_of

Direction = Literal["grows", "shrinks"]


class UnclassifiedError(LookupError):
    """The table has no row for this input."""


def class_of(
    type_token: str,
    path: str = "",
    *,
    name: str = "",
    operation: Operation | None = None,
    direction: Direction | None = None,
) -> ChangeClass:
    """What changing an input does; see ``row_of``.

    Raises:
        UnclassifiedError: the table has no row for it.
    """
    return row_of(
        type_token, path, name=name, operation=operation, direction=direction
    ).change_class


def row_of(
    type_token: str,
    path: str = "",
    *,
    name: str = "",
    operation: Operation | None = None,
    direction: Direction | None = None,
) -> ChangeRow:
    """The row that holds for an input.

    ``path`` is spelled as the engine spells it; without one, the resource as a whole is meant.
    What is not known, the engine's operation or the direction of a number or a list, is taken as
    the worst that it can be; and a path above several rows as the worst of them.

    Raises:
        UnclassifiedError: the table has no row for it.
    """
    rows = _closest(_named(change_rows().get(type_token, ()), name), path)
    rows = _narrowed(rows, [row for row in rows if row.operation == operation])
    rows = _narrowed(rows, [row for row in rows if row.when in {"", direction}])
    if not rows or (not path and operation not in {None, *(row.operation for row in rows)}):
        raise UnclassifiedError(
            f"daskfleet/catalog/data/changes.csv has no row for {type_token}, "
            f"{path or f'operation {operation}'}. Add one with what the provider's source says."
        )
    return max(rows, key=lambda row: row.change_class)


def direction_of(old: object, new: object) -> Direction | None:
    """Whether a number or a list grows or shrinks; None for anything else."""
    if isinstance(old, list) and isinstance(new, list):
        before, after = ({str(each) for each in entries} for entries in (old, new))
        return "grows" if before < after else "shrinks" if after < before else None
    if not (_is_number(old) and _is_number(new)) or old == new:
        return None
    return "grows" if float(str(new)) > float(str(old)) else "shrinks"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _named(rows: Iterable[ChangeRow], name: str) -> list[ChangeRow]:
    """Rows for a resource of this name: its own, and those of all names where it has none."""
    fitting = [row for row in rows if not row.resource or fnmatchcase(name, row.resource)]
    own = {(row.path, row.operation) for row in fitting if row.resource}
    return [row for row in fitting if row.resource or (row.path, row.operation) not in own]


def _closest(rows: list[ChangeRow], path: str) -> list[ChangeRow]:
    """The rows nearest above a path or, where there is none, all rows below it."""
    if not path:
        return [row for row in rows if not row.path]
    keys = keys_of(path)
    patterns = {row.path: keys_of(row.path) for row in rows if row.path}
    above = [pattern for pattern, known in patterns.items() if is_within(keys, known)]
    if above:
        nearest = max(above, key=len)
        return [row for row in rows if row.path == nearest]
    return [row for row in rows if row.path and is_within(patterns[row.path], keys)]


def _narrowed(rows: list[ChangeRow], fitting: list[ChangeRow]) -> list[ChangeRow]:
    return fitting or rows
