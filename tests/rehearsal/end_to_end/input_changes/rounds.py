"""Which changes go into one run of the engine.

A round has at most one input of each resource, so each operation still has one cause. What moves
pods is kept apart from what does not, because a pod that is created anew needs what the other
changes take away for a moment: its identity, its quota.
"""

from collections.abc import Iterable

from daskfleet.catalog.changes import ChangeClass
from tests.rehearsal.end_to_end.input_changes.cases import InputChange

Round = tuple[InputChange, ...]


def rounds(changes: Iterable[InputChange]) -> list[Round]:
    """All changes in as few runs as that takes; what others hang on has one of its own."""
    alone: list[Round] = []
    filled: list[list[InputChange]] = []
    for change in changes:
        if change.cascades:
            alone.append((change,))
            continue
        free = next((each for each in filled if _fits(change, each)), None)
        if free is None:
            filled.append([change])
        else:
            free.append(change)
    return [*(tuple(each) for each in filled), *alone]


def one_of_each_class(changes: Iterable[InputChange]) -> tuple[InputChange, ...]:
    """The first change of each class for each resource type, of those that can be carried out."""
    first: dict[tuple[str, ChangeClass], InputChange] = {}
    for change in changes:
        if not (change.only_preview or change.cascades):
            first.setdefault((change.type, change.row.change_class), change)
    return tuple(first.values())


def moves_pods(change: InputChange) -> bool:
    """Whether pods of a team go with it."""
    return change.row.change_class >= ChangeClass.ROLLS_DASK_CLUSTER


def _fits(change: InputChange, others: list[InputChange]) -> bool:
    taken = {(each.type, each.name) for other in others for each in (other, *other.along)}
    wanted = {(each.type, each.name) for each in (change, *change.along)}
    return not taken & wanted and all(moves_pods(each) == moves_pods(change) for each in others)
