"""The page of every stack: a row for each, with the way to its own page."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from daskfleet.platform.report.checks import Outcome
from daskfleet.platform.report.fleet import fleet_of
from daskfleet.platform.report.page import laid_out
from daskfleet.platform.report.running.every_stack import SeenStack
from daskfleet.platform.report.running.model import FleetView
from daskfleet.platform.report.running.page import (
    ready_teams,
    shares_used,
    usd_told,
    verdict,
)
from daskfleet.platform.report.teams import team_marks
from daskfleet.platform.report.words import counted, dollars
from daskfleet.visible import in_short

NOT_KNOWN = "not known"
LONGEST_NAME = 100


@dataclass(frozen=True, kw_only=True)
class StackRow:
    """A stack, in words."""

    stack: str
    file: str
    """Of its page, beside the index; empty where there is none."""
    as_of: str
    as_of_exactly: str
    teams: str
    gpus: str
    waiting: str
    usd_per_hour: str
    outcome: Outcome
    says: str
    unread: tuple[str, ...]
    """What of it could not be read."""


def index_page(stacks: Sequence[SeenStack], files: Mapping[str, str]) -> str:
    """Lay out all stacks as HTML; ``files`` has the name of each one's page."""
    outcome, text = verdict_of_all(stacks)
    return laid_out(
        "running/index.html.jinja",
        scripts=(),
        looked_at="",
        commit="",
        outcome=outcome,
        verdict=text,
        facts=tuple(_facts(stacks)),
        rows=tuple(stack_row(each, files[each.stack]) for each in stacks),
    )


def verdict_of_all(stacks: Sequence[SeenStack]) -> tuple[Outcome, str]:
    """Tell in one line how all of them are."""
    outcomes = [_outcome(each)[0] for each in stacks]
    of_all = f"of {counted(len(stacks), 'stack')}"
    unread = sum(each.view is None for each in stacks)
    rest = f"; {unread} could not be read" if unread else ""
    if failed := outcomes.count("failed"):
        return "failed", f"Open problems on {failed} {of_all}{rest}."
    if unknown := outcomes.count("not measured"):
        return "not measured", f"No problem is known; {unknown} {of_all} could not be read whole."
    return "holds", f"No open problem on {counted(len(stacks), 'stack')}."


def stack_row(seen: SeenStack, file: str) -> StackRow:
    """Tell one stack; what nobody knows of it is never a zero."""
    view = seen.view
    outcome, says = _outcome(seen)
    at = view.looked_at if view else seen.asked_at
    fleet = (
        fleet_of(
            view, team_marks([row.team for row in view.pods]), are_pods_known=view.are_pods_known
        )
        if view
        else None
    )
    return StackRow(
        stack=in_short(seen.stack, LONGEST_NAME),
        file=file if view else "",
        as_of=f"{at:%-d %B, %H:%M:%S} UTC",
        as_of_exactly=at.isoformat(),
        teams=ready_teams(view) if view else NOT_KNOWN,
        gpus=shares_used(view, fleet) if view and fleet else NOT_KNOWN,
        waiting=_waiting(view) if view else NOT_KNOWN,
        usd_per_hour=usd_told(view.money, view.money.now_usd_per_hour, cents=True)
        if view and view.money
        else NOT_KNOWN,
        outcome=outcome,
        says=says,
        unread=tuple(each.name.value for each in view.unread) if view else (),
    )


def _waiting(view: FleetView) -> str:
    if view.waiting is None:
        return NOT_KNOWN
    return f"{'' if view.are_pods_known else 'at least '}{len(view.waiting)}"


def _outcome(seen: SeenStack) -> tuple[Outcome, str]:
    if seen.view is None:
        return "not measured", f"It could not be read: {seen.why_not}"
    return verdict(seen.view)


def _facts(stacks: Sequence[SeenStack]) -> Iterator[tuple[str, str, str]]:
    """Label, value, and what the value is of. What is missing makes a sum `at least`."""
    views = [each.view for each in stacks if each.view]
    yield "Stacks read", f"{len(views)} of {len(stacks)}", ""
    if not views:
        return
    is_whole = len(views) == len(stacks) and not any(view.unread for view in views)
    problems = sum(len(view.problems) for view in views)
    yield "Open problems", str(problems) if is_whole else f"at least {problems}", ""
    money = [view.money for view in views if view.money]
    if money:
        usd = dollars(sum(each.now_usd_per_hour for each in money), cents=True)
        is_all = len(money) == len(stacks) and not any(each.unpriced for each in money)
        yield "Cost now", usd if is_all else f"at least {usd}", "USD per hour"
