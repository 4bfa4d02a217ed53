"""Unit: the affinity of workers with a chain of pools, and which pools their cluster waits for."""

from typing import Any

import pytest

from components.outputs.team import team_output
from daskfleet.planning.plan import TeamPlan
from manifests.placement import required_pools, worker_placement
from tests.components.fleets import fleet

UP_TO_2 = {"autoscaling": {"min_nodes": 0, "max_nodes": 2}}
POOLS = ("held", "spot", "a100")
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"


def alpha_on(worker_pool: Any, **pool: Any) -> TeamPlan:
    """Team alpha, on one or several of three pools."""
    pools = [{"name": name, **UP_TO_2, **pool} for name in POOLS]
    return fleet(worker_pools=pools, teams=[{"name": "alpha", "worker_pool": worker_pool}]).teams[0]


def affinity(plan: TeamPlan) -> dict[str, Any]:
    """The node affinity of its workers."""
    found: dict[str, Any] = worker_placement(plan.first_group)["affinity"]["nodeAffinity"]
    return found


def expression(*names: str) -> list[dict[str, Any]]:
    """What asks for the nodes of these pools."""
    key = "cloud.google.com/gke-nodepool"
    return [{"key": key, "operator": "In", "values": list(names)}]


@pytest.mark.parametrize("worker_pool", ["a100", ["a100"]], ids=["by name", "a chain of one"])
def test_workers_of_one_pool_are_bound_to_it_and_prefer_nothing(worker_pool: Any) -> None:
    assert affinity(alpha_on(worker_pool)) == {
        REQUIRED: {"nodeSelectorTerms": [{"matchExpressions": expression("a100")}]}
    }


def test_workers_of_a_chain_are_bound_to_its_pools_and_prefer_the_first_most() -> None:
    found = affinity(alpha_on(["held", "spot", "a100"]))

    assert found[REQUIRED] == {"nodeSelectorTerms": [{"matchExpressions": expression(*POOLS)}]}
    assert found[PREFERRED] == [
        {"weight": 100, "preference": {"matchExpressions": expression("held")}},
        {"weight": 50, "preference": {"matchExpressions": expression("spot")}},
    ]


def test_a_chain_means_the_generations_of_its_pools() -> None:
    plan = alpha_on(["spot", "a100"], replacement="surge")
    names = [step.generation.name for step in plan.first_group.steps]

    assert affinity(plan)[REQUIRED] == {
        "nodeSelectorTerms": [{"matchExpressions": expression(*names)}]
    }
    assert all(name.startswith(pool) for name, pool in zip(names, ("spot", "a100"), strict=True))


def test_the_cluster_waits_for_all_pools_of_its_chain_and_no_others() -> None:
    assert required_pools(alpha_on(["spot", "a100"])) == ("scheduler-pool", "spot", "a100")


def test_the_outputs_tell_all_pools_of_a_chain_and_of_one_pool_what_they_told() -> None:
    assert team_output(alpha_on(["spot", "a100"])).worker_pools == ("spot", "a100")
    assert "worker_pools" not in team_output(alpha_on("a100")).model_dump(exclude_unset=True)
