"""What an update will do, said for people: by team, by pool, by cluster, the worst first."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from daskfleet.catalog.changes import ChangeClass
from daskfleet.planning.changes import pool_words, team_words
from daskfleet.planning.changes.consequence import Consequence, Reason, Subject
from daskfleet.planning.changes.reasons import reasons_of
from daskfleet.planning.changes.resource_change import ResourceChange
from daskfleet.planning.changes.subjects import subject_of
from daskfleet.planning.plan import FleetPlan

GROUPING = ("daskfleet:", "pulumi:pulumi:")
"""Beginnings of the types that only group others: our components, and the stack itself."""

PHRASES = {
    ChangeClass.NOTHING: "nothing happens",
    ChangeClass.ADDS: "new; what runs is not touched",
    ChangeClass.IN_PLACE: "changed in place; what runs goes on",
    ChangeClass.RESTARTS_PLATFORM: "restarts; Dask clusters go on",
    ChangeClass.INTERRUPTS_CLIENTS: "connections break; pods stay",
    ChangeClass.ROLLS_DASK_CLUSTER: "Dask clusters of all teams lose pods, or go",
    ChangeClass.ROLLS_NODES: "nodes of all pools may be re-created",
    ChangeClass.REPLACES_POOL: "all pools are replaced",
    ChangeClass.REPLACES_CLUSTER: "the GKE cluster is replaced, with everything in it",
    ChangeClass.DESTROYS_DATA: "the GKE cluster goes, or what is in it, the teams' data included",
}
"""For parts of the fleet that are neither a team nor a pool."""


def consequences(changes: Iterable[ResourceChange], plan: FleetPlan) -> tuple[Consequence, ...]:
    """What changes mean for a fleet.

    ``plan`` is the fleet as it will be: what a removed team or pool had is not in it. A new
    generation and the old one that goes (a ``blue-green`` team, a ``surge`` pool) are one
    consequence.
    """
    by_subject: dict[Subject, list[ResourceChange]] = defaultdict(list)
    for change in dict.fromkeys(changes):
        if change.operation != "same" and not change.type.startswith(GROUPING):
            by_subject[subject_of(change)].append(change)
    found = [_of_subject(subject, known, plan) for subject, known in by_subject.items()]
    return tuple(sorted(found, key=_worst_first))


def _worst_first(consequence: Consequence) -> tuple[int, Subject]:
    return -list(ChangeClass).index(consequence.change_class), consequence.subject


def _of_subject(
    subject: Subject, changes: Sequence[ResourceChange], plan: FleetPlan
) -> Consequence:
    reasons = sorted(
        (reason for change in changes for reason in reasons_of(change)),
        key=lambda reason: reason.change_class,
        reverse=True,
    )
    match subject.kind:
        case "team":
            return team_words.consequence(subject, changes, reasons, plan)
        case "pool":
            return pool_words.consequence(subject, changes, reasons, plan)
        case _:
            return _of_the_platform(subject, reasons, plan)


def _of_the_platform(subject: Subject, reasons: Sequence[Reason], plan: FleetPlan) -> Consequence:
    worst = reasons[0].change_class
    reaches_teams = worst >= ChangeClass.INTERRUPTS_CLIENTS
    takes_pods = worst >= ChangeClass.ROLLS_DASK_CLUSTER
    return Consequence(
        subject=subject,
        change_class=worst,
        headline=f"{subject}: {PHRASES[worst]}",
        details=tuple(dict.fromkeys(reason.what for reason in reasons)),
        reasons=tuple(reasons),
        teams=tuple(each.team.name for each in plan.teams) if reaches_teams else (),
        workers=sum(each.all_workers for each in plan.teams) if takes_pods else 0,
    )
