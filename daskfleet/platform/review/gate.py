"""Pure: may a merge go on?"""

from collections.abc import Collection, Sequence

from daskfleet.catalog.changes import ChangeClass
from daskfleet.platform.review.model import Gate, PolicyFinding

DESTRUCTIVE = (
    ChangeClass.REPLACES_POOL,
    ChangeClass.REPLACES_CLUSTER,
    ChangeClass.DESTROYS_DATA,
)
"""What nobody can take back, and somebody must allow; each by its own name."""

LONGEST_REASON = 140
"""Characters of a commit status' description (docs.github.com/en/rest/commits/statuses)."""


def gate(
    classes: Collection[ChangeClass],
    *,
    allowed: Collection[ChangeClass],
    policies: Sequence[PolicyFinding],
    failure: str = "",
    failure_of_rehearsal: str = "",
) -> Gate:
    """Decide.

    Args:
        classes: what the change does to the fleet.
        allowed: what somebody allowed; each class stands for itself alone.
        policies: what the policies found.
        failure: why the change is not known as a whole; nothing passes then.
        failure_of_rehearsal: why it could not be carried out in a rehearsal; nothing passes then.
    """
    needed = [each for each in DESTRUCTIVE if each in classes]
    missing = tuple(each for each in needed if each not in allowed)
    granted = tuple(each for each in needed if each in allowed)
    refusals = list(dict.fromkeys(each.policy for each in policies if each.level == "mandatory"))
    failed = f"The preview failed: {failure}" if failure else ""
    if failure_of_rehearsal:
        failed = failed or f"The rehearsal failed: {failure_of_rehearsal}"
    why = _why(missing, granted, refusals, failed)
    return Gate(
        passes=not (failed or refusals or missing),
        why=cut(why, LONGEST_REASON),
        missing=missing,
        allowed=granted,
    )


def _why(
    missing: Sequence[ChangeClass],
    granted: Sequence[ChangeClass],
    refusals: Sequence[str],
    failed: str,
) -> str:
    if refusals:
        return f"A policy refuses it: {', '.join(refusals)}"
    if failed:
        return failed
    if missing:
        return f"Somebody must allow: {_names(missing)}"
    if granted:
        return f"Allowed: {_names(granted)}"
    return "Nothing is destroyed"


def _names(classes: Sequence[ChangeClass]) -> str:
    return ", ".join(each.value for each in classes)


def cut(text: str, most: int) -> str:
    """The first line of a text, not longer than ``most``."""
    line = next(iter(text.splitlines()), "")
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"
