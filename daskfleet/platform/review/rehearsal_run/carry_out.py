"""Carrying a change out on a rehearsed fleet: BASE comes up, HEAD is previewed, then applied."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from daskfleet.catalog.changes import ChangeClass
from daskfleet.planning.changes.consequence import Consequence
from daskfleet.planning.changes.consequences import consequences
from daskfleet.planning.plan import FleetPlan
from daskfleet.platform.review.foretold import resource_changes
from daskfleet.platform.review.model import Discrepancy, Preview, Rehearsed
from daskfleet.platform.review.policy_packs import PolicyPack
from daskfleet.platform.review.rehearsal_run.bring_up import PROJECT, UP, bring_up, planned, refusal
from daskfleet.platform.review.rehearsal_run.comparing import differences, step_differences
from daskfleet.platform.review.rehearsal_run.disruption import foretold, pool_names, seen
from daskfleet.platform.review.rehearsal_run.errors import NothingToSayError
from daskfleet.platform.review.rehearsal_run.fleet import Fleet
from daskfleet.platform.review.rehearsal_run.outcome import noise, reasons, unserved
from daskfleet.platform.review.rehearsal_run.running import RunningFleet
from daskfleet.platform.review.rehearsal_run.sides import Sides
from daskfleet.platform.review.rehearsal_run.way_back import way_back
from daskfleet.platform.review.rehearsal_run.words import what_happened
from rehearsal.engine.engine import EngineFailedError
from rehearsal.report.address_watch import Moment
from rehearsal.report.model import SecondUp

TWO_RUNS = (
    "as the runbook says of another cluster, it took a second run: the first `pulumi up` failed, "
    "since the state still had what was in the old cluster, and `pulumi up --refresh` went through"
)


@dataclass(frozen=True)
class _Expected:
    """What HEAD is to do to the fleet, by the review's own judgement."""

    plan: FleetPlan
    consequences: tuple[Consequence, ...]


@dataclass(frozen=True, kw_only=True)
class _Applied:
    """What HEAD did to the fleet."""

    before: Fleet
    after: Fleet
    moments: Mapping[str, Sequence[Moment]]
    done: Preview | None = None
    """What the engine said while it did it; None: it failed, or took two runs."""

    second: SecondUp | None = None
    error: str = ""
    notes: tuple[str, ...] = ()


def carry_out(
    sides: Sides, running: RunningFleet, *, stack: str, packs: Sequence[PolicyPack] = ()
) -> tuple[Preview, FleetPlan | None, Rehearsed]:
    """Apply HEAD to the fleet of BASE, or to nothing where BASE does not have the stack.

    A HEAD that is refused, or whose ``up`` fails, is a result; a BASE that does not come up is not.
    What a mandatory policy of the packs refuses is not applied.

    Raises:
        NothingToSayError: BASE does not come up, or this checkout cannot read HEAD's settings.
        RehearsalError: the stage broke, or Ctrl-C was pressed.
    """
    if failure := refusal(sides.head, running, stack=stack):
        told = Preview(project=PROJECT, stack=stack, errors=(failure,), result="failed")
        return told, None, _not_applied(sides, running, failure)
    before = bring_up(sides.base, running, stack=stack) if sides.base.has_stack else Fleet()
    plan = planned(sides.head)
    running.move_to(sides.head)
    try:
        running.preview("HEAD: preview", packs)
    except EngineFailedError:
        told = running.said_by("preview")
        return told, plan, _not_applied(sides, running, reasons(told))
    told = running.said_by("preview")
    if plan is None:
        head = sides.head.revision
        raise NothingToSayError(
            f"The program of {head} accepts its stack file and this checkout does not, so "
            f"nothing can be predicted. Run the command in a checkout of {head}."
        )
    # What the review says without a rehearsal is what is held against it.
    foreseen = consequences(resource_changes(told.steps), plan)
    another_cluster = any(
        each.change_class >= ChangeClass.REPLACES_CLUSTER and each.subject.kind != "team"
        for each in foreseen
    )
    applied = _apply(running, before, another_cluster=another_cluster)
    rehearsed = _rehearsed(sides, running, told, _Expected(plan, foreseen), applied)
    if sides.base.has_stack and told.steps and not applied.error:
        rehearsed = replace(rehearsed, way_back=way_back(sides.base, running))
    return told, plan, rehearsed


def _apply(running: RunningFleet, before: Fleet, *, another_cluster: bool) -> _Applied:
    done: Preview | None = None
    second: SecondUp | None = None
    notes: tuple[str, ...] = ()
    error, again = "", ""
    with _addresses(running, before) as moments:
        try:
            done, notes = _up(running, another_cluster=another_cluster)
            again = "a second `up` failed: "
            second = running.up_again("HEAD: up again")
        except EngineFailedError:
            error = again + reasons(running.said_by("up"))
        after = running.see()
    return _Applied(
        before=before,
        after=after,
        moments=moments,
        done=done,
        second=second,
        error=error,
        notes=notes,
    )


def _up(running: RunningFleet, *, another_cluster: bool) -> tuple[Preview | None, tuple[str, ...]]:
    """Apply HEAD as somebody would who has read the runbook."""
    try:
        running.run("HEAD: pulumi up", *UP)
    except EngineFailedError:
        if not another_cluster:
            raise
        running.run("HEAD: up --refresh", *UP, "--refresh")
        return None, (TWO_RUNS,)
    return running.said_by("up"), ()


@contextmanager
def _addresses(running: RunningFleet, before: Fleet) -> Iterator[Mapping[str, Sequence[Moment]]]:
    """Who is behind each team's address during the block; nobody where no fleet was."""
    if not before.nodes:
        yield {}
        return
    with running.address_watch() as addresses:
        yield addresses.moments


def _rehearsed(
    sides: Sides, running: RunningFleet, told: Preview, expected: _Expected, applied: _Applied
) -> Rehearsed:
    foreseen, plan = expected.consequences, expected.plan
    pools = pool_names(foreseen, plan)
    before, after = applied.before.named(pools), applied.after.named(pools)
    unlike: tuple[Discrepancy, ...] = ()
    if applied.second:
        # Of a change that was carried out in part, all the rest would be a difference.
        unlike = (
            *differences(foretold(foreseen, before, plan), seen(before, after)),
            *(step_differences(told, applied.done) if applied.done else ()),
            *noise(applied.second),
        )
    return Rehearsed(
        base=sides.base.revision.commit,
        head=sides.head.revision.commit,
        lines=(*sides.notes, *applied.notes, *what_happened(before, after)),
        differences=unlike,
        seconds_without_scheduler=unserved(applied.moments, plan),
        second_up_changes=applied.second.changed_resources if applied.second else None,
        stood_in=(*running.stood_in, *sides.stood_in),
        error=applied.error,
    )


def _not_applied(sides: Sides, running: RunningFleet, error: str) -> Rehearsed:
    return Rehearsed(
        base=sides.base.revision.commit,
        head=sides.head.revision.commit,
        lines=(*sides.notes, "nothing was applied"),
        differences=(),
        seconds_without_scheduler={},
        second_up_changes=None,
        stood_in=(*running.stood_in, *sides.stood_in),
        error=error,
    )
