"""What an adaptive number of workers is worth on the pool where they run."""

from collections.abc import Iterator

from planning.pools import worker_pool_of
from planning.teams import teams_with_cluster
from settings.stack import Stack


def adaptive_warnings(stack: Stack) -> Iterator[str]:
    """Adaptive teams on pools whose nodes stay when the workers go."""
    for _, team in teams_with_cluster(stack):
        pool = worker_pool_of(team, stack)
        if team.adaptive is None or pool is None or pool.min_nodes < pool.max_nodes:
            continue
        yield (
            f"Team {team.name} is adaptive, {team.adaptive.minimum} to {team.adaptive.maximum} "
            f"workers, but pool {pool.name} has a fixed size: a worker that goes leaves its GPU to "
            "other teams, and its node costs the same. With autoscaling of the pool the node "
            "goes too."
        )
