"""From changes of resources to reasons: one for each input, and one for each coming and going."""

from collections.abc import Iterator

from daskfleet.catalog.changes import ChangeClass, ChangeRow, Operation
from daskfleet.planning.changes.consequence import Reason
from daskfleet.planning.changes.resource_change import PropertyChange, ResourceChange
from daskfleet.planning.changes.rules import UnclassifiedError, class_of, row_of

UNKNOWN = "Not in the table of change classes; taken as the worst that can happen to the resource."


def reasons_of(change: ResourceChange) -> Iterator[Reason]:
    """Why a change is what it is."""
    if change.operation == "same":
        return
    if change.operation in {"create", "delete"} or not change.properties:
        yield _of_the_whole(change)
        return
    for each in change.properties:
        yield _of_an_input(change, each)


def _of_the_whole(change: ResourceChange) -> Reason:
    # An update without properties is all that an engine's digest may tell.
    operation: Operation = "replace" if change.operation == "update" else change.operation
    try:
        row = row_of(change.type, name=change.name, operation=operation)
    except UnclassifiedError:
        return _reason(change, "", None)
    return _reason(change, "", row)


def _of_an_input(change: ResourceChange, each: PropertyChange) -> Reason:
    try:
        row = row_of(
            change.type,
            each.path,
            name=change.name,
            operation=change.operation,
            direction=each.direction,
        )
    except (UnclassifiedError, ValueError):
        return _reason(change, each.path, None)
    if change.operation == "replace" and row.operation != "replace":
        # Something else forces it; what it means is the same.
        row = row_of(change.type, name=change.name, operation="replace")
    return _reason(change, each.path, row)


def _reason(change: ResourceChange, path: str, row: ChangeRow | None) -> Reason:
    return Reason(
        resource=f"{change.type.rpartition(':')[2]} {change.name}",
        path=path,
        change_class=row.change_class if row else _worst_of(change),
        what=row.what if row else UNKNOWN,
    )


def _worst_of(change: ResourceChange) -> ChangeClass:
    try:
        return max(
            class_of(change.type, name=change.name, operation="replace"),
            class_of(change.type, name=change.name, operation="delete"),
        )
    except UnclassifiedError:
        return ChangeClass.DESTROYS_DATA
