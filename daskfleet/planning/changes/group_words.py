"""What changes mean for one group of a team's workers, where the Dask cluster itself goes on."""

from collections.abc import Iterator, Sequence

from daskfleet.planning.changes.resource_change import ResourceChange
from daskfleet.planning.names import CLUSTER_SUFFIX_LENGTH
from daskfleet.planning.plan import TeamPlan, WorkerGroup

WORKER_GROUP = "kubernetes:kubernetes.dask.org/v1:DaskWorkerGroup"
MARK = "-group-"
"""In the logical name of a group, between the team's name and its own."""

SCALED = {
    "grows": "those that run go on",
    "shrinks": "those that go hand over their data first",
}


def group_words(changes: Sequence[ResourceChange], team: TeamPlan | None) -> str:
    """Say what happens to the groups that change; nothing where none does."""
    return "; ".join(_words(changes, team))


def _words(changes: Sequence[ResourceChange], team: TeamPlan | None) -> Iterator[str]:
    for change in changes:
        if change.type != WORKER_GROUP:
            continue
        group = _group(change, team)
        name = group.name if group else change.name.partition(MARK)[2]
        match change.operation:
            case "create":
                yield f"new group {name} with {_count(group)}; what runs is not touched"
            case "delete":
                yield f"group {name} goes; what only its workers had in memory is computed again"
            case "replace":
                yield (
                    f"group {name} is replaced, {_count(group)}; what only they had in memory is "
                    "computed again"
                )
            case "update":
                direction = next(
                    (p.direction for p in change.properties if p.path == "spec.worker.replicas"),
                    None,
                )
                if direction:
                    yield f"group {name} {direction} to {_count(group)}; {SCALED[direction]}"


def _group(change: ResourceChange, team: TeamPlan | None) -> WorkerGroup | None:
    """Find a resource's group; a blue-green team's has its cluster's suffix behind its name."""
    named = change.name.partition(MARK)[2]
    groups = team.further_groups if team else ()
    return next((each for each in groups if named in _names(each.name, named)), None)


def _names(group: str, named: str) -> tuple[str, str]:
    return group, group + named[-CLUSTER_SUFFIX_LENGTH:]


def _count(group: WorkerGroup | None) -> str:
    if group is None:
        return "its workers"
    return "1 worker" if group.workers == 1 else f"{group.workers} workers"
