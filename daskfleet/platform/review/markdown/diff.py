"""The full diff: one block for each resource, the worst first."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby

from daskfleet.platform.review.markdown.escape import fence
from daskfleet.platform.review.markdown.section import FOLDS, Section, unfolds
from daskfleet.platform.review.model import PropertyDiff, Review, Step
from daskfleet.platform.review.wording import quantity
from daskfleet.visible import in_short

MOST_INPUTS = 20
"""Inputs of one resource."""

MOST_TOGETHER = 25
"""Resources in one block, of those of which there is nothing to tell but the name."""

LONGEST_LINE = 200
SIGNS = {"create": "+", "import": "+", "delete": "-", "replace": "!", "update": "!"}
FORCES = " (forces the replacement)"


def full_diff(review: Review) -> Section:
    """All resources that do not stay as they are, in a fold."""
    return Section(
        noun="blocks of the diff",
        opening=unfolds(f"Full diff of {quantity(len(review.steps), 'resource')}"),
        items=tuple(_blocks(review.steps)),
        closing=FOLDS,
        between="\n\n",
        gives_way=True,
    )


def _blocks(steps: Sequence[Step]) -> Iterator[str]:
    """Neighbours without inputs to tell share blocks; what follows a step comes after it."""
    followers: dict[str, list[Step]] = defaultdict(list)
    for step in steps:
        if step.follows:
            followers[step.follows].append(step)
    leading = [step for step in steps if not step.follows]
    for is_bare, run in groupby(leading, key=lambda step: not step.diffs):
        together = list(run)
        size = MOST_TOGETHER if is_bare else 1
        for start in range(0, len(together), size):
            block = together[start : start + size]
            yield fence("\n".join(line for step in block for line in _lines(step)), "diff")
            for leader in block:
                yield from _cascade(leader.urn, followers.pop(leader.urn, []))
    for urn, following in followers.items():
        yield from _cascade(urn, following)


def _cascade(leader: str, following: Sequence[Step]) -> Iterator[str]:
    if not following:
        return
    named = following[:MOST_TOGETHER]
    count, cause = quantity(len(following), "resource"), _line(leader.rpartition("::")[2])
    lines = [
        f"@@ {count} re-created only because of {cause}; the engine could not compare them @@",
        *(f"! {_line(step.title)}" for step in named),
    ]
    if len(following) > len(named):
        lines.append(f"# and {len(following) - len(named):,} more")
    yield fence("\n".join(lines), "diff")


def _lines(step: Step) -> Iterator[str]:
    protected = ", protected" if step.is_protected else ""
    title = f"{step.operation} {_line(step.title)}{protected}"
    if not step.diffs:
        yield f"{SIGNS.get(step.operation, ' ')} {title}"
        return
    yield f"@@ {title} @@"
    for diff in sorted(step.diffs, key=lambda each: not each.forces_replacement)[:MOST_INPUTS]:
        yield from _diff_lines(diff)
    if (left := len(step.diffs) - MOST_INPUTS) > 0:
        yield f"# and {quantity(left, 'input')} more"


def _diff_lines(diff: PropertyDiff) -> Iterator[str]:
    forces = FORCES if diff.forces_replacement else ""
    if diff.kind != "add":
        yield f"- {_line(diff.path)}{forces if diff.kind == 'delete' else ''}: {_line(diff.old)}"
    if diff.kind != "delete":
        yield f"+ {_line(diff.path)}{forces}: {_line(diff.new)}"


def _line(value: str) -> str:
    return in_short(value, LONGEST_LINE)
