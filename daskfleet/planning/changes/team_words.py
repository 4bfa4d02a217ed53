"""What changes mean for one team."""

from collections.abc import Sequence

from daskfleet.catalog.changes import ChangeClass, Operation
from daskfleet.catalog.durations import durations
from daskfleet.planning.changes.consequence import Consequence, Reason, Subject, TimeSpan
from daskfleet.planning.changes.group_words import SCALED, group_words
from daskfleet.planning.changes.jupyter_words import jupyter_words
from daskfleet.planning.changes.resource_change import ResourceChange
from daskfleet.planning.changes.rules import Direction
from daskfleet.planning.plan import FleetPlan, TeamPlan

DASK_CLUSTER = "kubernetes:kubernetes.dask.org/v1:DaskCluster"
NEW = "something new; what runs is not touched"
PULLED_BEFORE = "Its image is pulled first, {pull}; until that is done nothing of the team goes."
LOST = "Futures, published data, queues and running work are lost; files and volumes stay."


def consequence(
    subject: Subject, changes: Sequence[ResourceChange], reasons: Sequence[Reason], plan: FleetPlan
) -> Consequence:
    """What one team will feel."""
    worst = reasons[0].change_class
    team = next((each for each in plan.teams if each.team.name == subject.name), None)
    roll = {change.operation for change in changes if change.type == DASK_CLUSTER}
    is_beside = roll == {"create", "delete"}
    if is_beside:
        worst = max(worst, ChangeClass.ROLLS_DASK_CLUSTER)
    of_jupyter = jupyter_words(changes, worst)
    rolls = worst >= ChangeClass.ROLLS_DASK_CLUSTER and not of_jupyter
    happens = of_jupyter or _happens(
        worst, team, is_beside=is_beside, roll=roll, direction=_scaled(changes)
    )
    groups = group_words(changes, team)
    if groups and worst in {ChangeClass.ADDS, ChangeClass.IN_PLACE}:
        happens = f"{happens}; {groups}" if roll else groups
    pull = _pull(reasons) if rolls and team else None
    is_pulled_before = (
        pull is not None and plan.stack.image_prepull and worst is ChangeClass.ROLLS_DASK_CLUSTER
    )
    return Consequence(
        subject=subject,
        change_class=worst,
        headline=f"{subject}: {happens}",
        details=(
            *([PULLED_BEFORE.format(pull=pull)] if is_pulled_before else []),
            *_details(worst, team, reasons, is_beside=is_beside),
        ),
        reasons=tuple(reasons),
        teams=(subject.name,) if worst >= ChangeClass.INTERRUPTS_CLIENTS else (),
        workers=team.all_workers if team and rolls else 0,
        duration=None if is_pulled_before else pull,
    )


def _happens(
    worst: ChangeClass,
    team: TeamPlan | None,
    *,
    is_beside: bool,
    roll: set[Operation],
    direction: Direction | None,
) -> str:
    count = _workers(team)
    workers = f"scheduler and {count}"
    phrases = {
        ChangeClass.NOTHING: "nothing happens",
        ChangeClass.ADDS: f"new Dask cluster, {workers}" if roll == {"create"} else NEW,
        ChangeClass.INTERRUPTS_CLIENTS: "clients lose their connection; the team's pods go on",
        ChangeClass.ROLLS_DASK_CLUSTER: (
            "its Dask cluster goes, with what is in its memory; the namespace stays"
            if roll == {"delete"}
            else f"Dask cluster is replaced, {workers}; running work is lost"
        ),
        ChangeClass.DESTROYS_DATA: (
            "its namespace goes with everything in it, volumes and notebooks included"
        ),
    }
    if is_beside and worst is ChangeClass.ROLLS_DASK_CLUSTER:
        return (
            f"a new Dask cluster comes beside the old one ({workers}), the address moves, then "
            "the old one goes with what is in its memory"
        )
    if worst is ChangeClass.IN_PLACE and direction:
        return f"{direction} to {count}; {SCALED[direction]}"
    return phrases.get(worst, "changed in place; scheduler and workers go on")


def _workers(team: TeamPlan | None) -> str:
    if team is None:
        return "workers"
    fewest, most = team.team.minimum_workers, team.all_workers
    if team.team.adaptive:
        return f"{fewest} to {most} workers"
    return "1 worker" if most == 1 else f"{most} workers"


def _scaled(changes: Sequence[ResourceChange]) -> Direction | None:
    """Whether the number of workers grows or shrinks."""
    directions = (
        each.direction
        for change in changes
        if change.type == DASK_CLUSTER
        for each in change.properties
        if each.path == "spec.worker.replicas"
    )
    return next(directions, None)


def _details(
    worst: ChangeClass, team: TeamPlan | None, reasons: Sequence[Reason], *, is_beside: bool
) -> list[str]:
    details = [LOST] if worst is ChangeClass.ROLLS_DASK_CLUSTER else []
    if is_beside and team and team.team.rollout.wait_idle_s:
        details.append(
            f"The address waits up to {team.team.rollout.wait_idle_s} s for the old scheduler to "
            "be idle."
        )
    known = set() if is_beside else {reason.what for reason in reasons}
    return [*details, *(what for what in dict.fromkeys(r.what for r in reasons) if what in known)]


def _pull(reasons: Sequence[Reason]) -> TimeSpan | None:
    """A pull, when the image may be a new one; pods on nodes that have it start in seconds."""
    is_another_image = any(not reason.path or reason.path.endswith(".image") for reason in reasons)
    pull = durations()["rapids-image"]
    return TimeSpan(low_s=pull.low_s, high_s=pull.high_s) if is_another_image else None
