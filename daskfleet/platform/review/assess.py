"""Pure: what a preview means for the fleet that it leads to."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from daskfleet.catalog.changes import ChangeClass
from daskfleet.planning.budget import budget_of
from daskfleet.planning.changes.consequence import Consequence
from daskfleet.planning.changes.consequences import consequences
from daskfleet.planning.plan import FleetPlan
from daskfleet.platform.review.cost_change import cost_change
from daskfleet.platform.review.foretold import resource_changes
from daskfleet.platform.review.gate import gate
from daskfleet.platform.review.model import Preview, Rehearsed, Review, Step
from daskfleet.platform.review.placement import placement_lines
from daskfleet.platform.review.verdict import verdict
from daskfleet.platform.review.warnings import warnings

ORDER = ("delete", "replace", "update", "create", "import", "refresh", "read")
"""Operations, the worst first."""

NOT_ASSESSED = (
    "The stack file is refused, so what the change means is unknown. Correct the file first."
)


def assess(
    preview: Preview,
    plan: FleetPlan | None,
    *,
    commit: str,
    made_at: datetime,
    allowed: frozenset[ChangeClass],
    rehearsed: Rehearsed | None = None,
) -> Review:
    """Judge a preview.

    Args:
        preview: what the engine said.
        plan: the fleet that the change leads to; None when its stack file is refused.
        commit: the head of the pull request.
        made_at: the moment of the preview.
        allowed: the destructive classes that somebody allowed.
        rehearsed: what a rehearsal of the change found.
    """
    expected = consequences(resource_changes(preview.steps), plan) if plan else ()
    counts = _counts(preview)
    failure, of_rehearsal = _failure(preview, plan), _failure_of(rehearsed)
    found, because = verdict(
        counts,
        expected,
        failure=failure or of_rehearsal,
        concerns=tuple(_concerns(plan, rehearsed)),
    )
    return Review(
        project=preview.project,
        stack=preview.stack,
        commit=commit,
        made_at=made_at,
        verdict=found,
        because=because,
        counts=counts,
        consequences=expected,
        cost=cost_change(preview, plan),
        placement=placement_lines(plan) if plan else (),
        policies=preview.policies,
        warnings=warnings(preview, plan),
        errors=preview.errors,
        steps=_worst_first(preview.steps, expected),
        gate=gate(
            {each.change_class for each in expected},
            allowed=allowed,
            policies=preview.policies,
            failure=failure,
            failure_of_rehearsal=of_rehearsal,
        ),
        rehearsed=rehearsed,
    )


def _failure(preview: Preview, plan: FleetPlan | None) -> str:
    """Why the change is not known as a whole; empty when it is."""
    if preview.result != "succeeded":
        first = next(iter(preview.errors), "the engine does not say why")
        return next(iter(first.splitlines()), first)
    return NOT_ASSESSED if plan is None else ""


def _failure_of(rehearsed: Rehearsed | None) -> str:
    """Why the change could not be carried out in the rehearsal, though its preview succeeded."""
    if rehearsed is None or not rehearsed.error:
        return ""
    return next(iter(rehearsed.error.splitlines()), "")


def _concerns(plan: FleetPlan | None, rehearsed: Rehearsed | None) -> Iterator[str]:
    if rehearsed and rehearsed.differences:
        first = rehearsed.differences[0]
        yield (
            f"the rehearsal saw something else than was predicted: {first.subject}: "
            f"{first.foretold} was predicted, {first.seen} was seen"
        )
    if plan and (budget := budget_of(plan.cost, plan.stack.monthly_budget_usd)).needs_care:
        yield budget.text


def _counts(preview: Preview) -> Mapping[str, int]:
    counts = dict.fromkeys(ORDER, 0)
    for step in preview.steps:
        counts[step.operation] += 1
    return {
        **{name: count for name, count in counts.items() if count},
        "unchanged": preview.unchanged,
    }


def _worst_first(steps: Sequence[Step], expected: Sequence[Consequence]) -> tuple[Step, ...]:
    """Steps in the order of what people feel of them, then of what is done."""
    classes = {
        reason.resource: reason.change_class
        for each in reversed(expected)
        for reason in reversed(each.reasons)
    }

    def rank(step: Step) -> tuple[bool, int, int, str, str]:
        known = classes.get(f"{step.type.rpartition(':')[2]} {step.name}", ChangeClass.NOTHING)
        order = list(ChangeClass)
        return (
            bool(step.follows),
            -order.index(known),
            ORDER.index(step.operation),
            step.type,
            step.name,
        )

    return tuple(sorted(steps, key=rank))
