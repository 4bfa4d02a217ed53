"""Pure: steps of a preview as the changes that ``planning`` knows the consequences of."""

from collections.abc import Iterable, Iterator

from daskfleet.planning.changes.resource_change import PropertyChange, ResourceChange
from daskfleet.platform.review.model import PropertyDiff, Step

_NUMBERS = {"grows": (0, 1), "shrinks": (1, 0), None: (None, None)}
"""Numbers that change in a direction; which numbers they are does not matter."""


def resource_changes(steps: Iterable[Step]) -> Iterator[ResourceChange]:
    """The changes that people may feel.

    Left out: what is only read, and what follows from a replaced provider or cluster, since the
    consequence of that replacement speaks of everything in it.
    """
    for step in steps:
        if step.follows or step.operation in {"read", "refresh"}:
            continue
        yield ResourceChange(
            type=step.type,
            name=step.name,
            operation="create" if step.operation == "import" else step.operation,  # type: ignore[arg-type] # the rest is common to both
            parent_type=step.parent_type,
            parent=step.parent,
            properties=tuple(map(_property, _telling(step))),
        )


def _telling(step: Step) -> tuple[PropertyDiff, ...]:
    """Of a replacement those that force it, where the engine says which."""
    forcing = tuple(diff for diff in step.diffs if diff.forces_replacement)
    return forcing if step.operation == "replace" and forcing else step.diffs


def _property(diff: PropertyDiff) -> PropertyChange:
    old, new = _NUMBERS[diff.direction]
    return PropertyChange(path=diff.path, old=old, new=new)
