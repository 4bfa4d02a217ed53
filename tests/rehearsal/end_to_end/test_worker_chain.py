"""End to end: a team with a chain of pools, while the preferred one is out of stock and after."""

import pytest

from tests.rehearsal.end_to_end.kubectl import kubectl
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal, Settings, team
from tests.rehearsal.end_to_end.waiting import until
from tests.tiers.long_files import LONG

pytestmark = LONG

TEAM = "genomics"
FIRST, SECOND = "a100-spot", "a100-auto"
FOREVER = 1_000_000


@pytest.fixture
def chained(fleet: RunningRehearsal) -> RunningRehearsal:
    """The fleet with a spot pool before the pool of a team, and machines for the second alone."""
    fleet.inject({"kind": "stockout", "pool": FIRST, "times": FOREVER})
    fleet.up(with_chain(fleet.settings()))
    return fleet


def test_the_second_pool_carries_the_workers_until_the_first_has_machines_again(
    chained: RunningRehearsal,
) -> None:
    assert pools_of_workers(chained) == [SECOND, SECOND]
    assert f"workers of {TEAM}-default: 0 on {FIRST}, 2 on {SECOND}" in chained.said

    # As `idle` and `hours` do: the workers go, and their nodes after them.
    scale(chained, workers=0)
    until(
        lambda: SECOND not in {node.pool for node in chained.see().nodes.values()},
        otherwise=lambda: chained.see().nodes,
    )
    chained.inject()
    scale(chained, workers=2)
    until(
        lambda: pools_of_workers(chained) == [FIRST, FIRST],
        otherwise=lambda: (chained.see().pods, chained.see().nodes),
    )


def with_chain(settings: Settings) -> Settings:
    """One more worker than fits the node that is there, so that a pool has to grow."""
    spot = {
        "name": FIRST,
        "machine_type": "a2-highgpu-1g",
        "gpus_per_node": 1,
        "spot": True,
        "autoscaling": {"min_nodes": 0, "max_nodes": 2},
    }
    settings["daskfleet:worker_pools"].append(spot)
    team(settings, TEAM).update(worker_pool=[FIRST, SECOND], workers=2)
    return settings


def scale(fleet: RunningRehearsal, *, workers: int) -> None:
    """Set the number of workers as a member may."""
    group = f"daskworkergroup/{TEAM}-default"
    kubectl(fleet, "--namespace", TEAM, "scale", f"--replicas={workers}", group)


def pools_of_workers(fleet: RunningRehearsal) -> list[str]:
    """The pool of each worker of the team; empty for one that has no node."""
    seen = fleet.see()
    return sorted(
        seen.nodes[pod.node].pool if pod.node in seen.nodes else ""
        for pod in seen.pods
        if pod.team == TEAM and pod.role == "worker"
    )
