"""What an adaptive number of workers goes together with, and what it is worth on its pool."""

from collections.abc import Iterator

from daskfleet.planning.pools import worker_chain_of
from daskfleet.planning.teams import teams_with_cluster
from daskfleet.settings.problems import Problem
from daskfleet.settings.stack import Stack


def adaptive_problems(stack: Stack) -> Iterator[Problem]:
    """Adaptive teams with what else moves workers, or whose workers the operator would mix up."""
    for index, team in teams_with_cluster(stack):
        if team.adaptive is None:
            continue
        key = f"teams[{index}].adaptive"
        value = f"{team.adaptive.minimum} to {team.adaptive.maximum}"
        if team.groups:
            yield Problem(
                key=key,
                value=value,
                reason="The operator moves the first group alone, and takes the workers that go "
                "from all groups of the cluster (dask-kubernetes#914): the others would lose "
                "theirs for good.",
                allowed="adaptive without groups",
                next_step="remove groups, or give this team workers instead of adaptive.",
            )
        if team.idle is not None or team.hours is not None:
            yield Problem(
                key=key,
                value=value,
                reason="The operator already removes idle workers. It and the settings idle and "
                "hours would undo each other's work.",
                allowed="adaptive without idle and hours",
                next_step="set adaptive.minimum to 0 instead, or remove adaptive.",
            )


def adaptive_warnings(stack: Stack) -> Iterator[str]:
    """Adaptive teams on pools whose nodes stay when the workers go."""
    for _, team in teams_with_cluster(stack):
        fixed = [pool for pool in worker_chain_of(team, stack) if pool.min_nodes == pool.max_nodes]
        if team.adaptive is None:
            continue
        for pool in fixed:
            yield (
                f"Team {team.name} is adaptive, {team.adaptive.minimum} to {team.adaptive.maximum} "
                f"workers, but pool {pool.name} has a fixed size: a worker that goes leaves its "
                "GPU to other teams, and its node costs the same. With autoscaling of the pool "
                "the node goes too."
            )
