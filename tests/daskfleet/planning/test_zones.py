"""Unit: pools in several zones, as the planning counts and judges them."""

import pytest

from daskfleet.planning.node_pool_spec import NodePoolSpec, pool_specs
from daskfleet.planning.pool_zones import Bounds, SizeInZones, size_in_zones
from daskfleet.settings.autoscaling import Autoscaling
from tests.components.fleets import fleet

TWO = ["us-central1-a", "us-central1-c"]


def spec(**pool: object) -> NodePoolSpec:
    """A worker pool of a stack that is otherwise the smallest."""
    stack = fleet(worker_pools=[{"name": "a100", **pool}]).stack
    (found,) = (each for each in pool_specs(stack) if each.name == "a100")
    return found


def test_a_fixed_size_is_shared_out_over_the_zones() -> None:
    pool = spec(zones=TWO, node_count=4)

    assert pool.zones == tuple(TWO)
    assert pool.size == SizeInZones(node_count=2, initial_node_count=None, bounds=None)


def test_bounds_of_several_zones_are_a_total_and_those_of_one_are_as_they_were() -> None:
    autoscaling = {"min_nodes": 1, "max_nodes": 3}

    assert spec(autoscaling=autoscaling).size.bounds == Bounds(min_node_count=1, max_node_count=3)
    assert spec(zones=TWO, autoscaling=autoscaling).size.bounds == Bounds(
        total_min_node_count=1, total_max_node_count=3, location_policy="BALANCED"
    )


@pytest.mark.parametrize(
    ("spot", "policy", "expected"),
    [(False, None, "BALANCED"), (True, None, "ANY"), (False, "ANY", "ANY")],
)
def test_where_no_policy_is_given_gkes_own_is_written_down(
    *, spot: bool, policy: str | None, expected: str
) -> None:
    autoscaling = {"min_nodes": 0, "max_nodes": 2, "location_policy": policy}
    bounds = spec(zones=TWO, spot=spot, autoscaling=autoscaling).size.bounds

    assert bounds is not None
    assert bounds.location_policy == expected


@pytest.mark.parametrize(
    ("least", "most", "each"), [(0, 2, 0), (1, 3, 1), (3, 4, 2), (1, 1, 0), (3, 3, 1)]
)
def test_a_pool_begins_with_whole_zones_and_never_above_its_most(
    least: int, most: int, each: int
) -> None:
    bounds = Autoscaling(min_nodes=least, max_nodes=most)
    size = size_in_zones(None, bounds, zones=TWO, spot=False)

    assert size.initial_node_count == each


def test_capacity_and_cost_count_the_pool_and_not_its_zones() -> None:
    def of(**pool: object) -> tuple[object, ...]:
        plan = fleet(worker_pools=[{"name": "a100", "node_count": 4, **pool}])
        return plan.placement, plan.cost.lines

    assert of(zones=TWO) == of()


def test_the_estimate_says_what_traffic_between_zones_costs_where_there_is_any() -> None:
    def notes(**pool: object) -> str:
        return " ".join(fleet(worker_pools=[{"name": "a100", "node_count": 2, **pool}]).cost.notes)

    assert "each GB from one zone to another costs 0.01 USD" in notes(zones=TWO)
    assert "zone to another" not in notes()


EVERYWHERE = {
    "system_pool": {"zones": TWO, "node_count": 2},
    "scheduler_pool": {"zones": TWO, "node_count": 2, "machine_type": "n1-standard-4"},
    "worker_pools": [{"name": "a100", "zones": TWO, "node_count": 2}],
}
REGIONAL = {"location": "us-central1", "node_zone": "us-central1-c"}


def warnings(**changes: object) -> str:
    """What a preview warns of because of zones."""
    found = fleet(**{**EVERYWHERE, **REGIONAL, **changes}).warnings
    return "\n".join(each for each in found if "zone" in each)


def test_nothing_is_warned_of_where_a_lost_zone_leaves_all_parts() -> None:
    assert warnings() == ""


def test_what_a_lost_zone_takes_along_is_warned_of() -> None:
    assert "the control plane is in us-central1-c alone" in warnings(
        location="us-central1-c", node_zone=None
    )
    alone = warnings(
        system_pool={}, scheduler_pool={"machine_type": "n1-standard-4", "node_count": 2}
    )
    assert "pool system is in us-central1-c alone, and the Dask operator with it" in alone
    assert "pool scheduler-pool is in us-central1-c alone, and the schedulers with it" in alone


def test_the_home_of_a_notebook_is_in_one_zone() -> None:
    teams = [{"name": "alpha", "jupyter": {"cpu": 1, "memory_gib": 2}}]

    assert "home of a JupyterLab" in warnings(teams=teams)


def test_a_preference_among_zones_of_which_there_is_one_is_warned_of() -> None:
    teams = [{"name": "alpha", "prefer_one_zone": True}]

    assert "prefer_one_zone" not in warnings(teams=teams)
    assert "prefer_one_zone" in warnings(
        teams=teams, worker_pools=[{"name": "a100", "node_count": 1}]
    )


def test_a_chain_over_zones_gives_the_preference_something_to_choose_from() -> None:
    pools = [
        {"name": name, "zones": [zone]} for name, zone in zip(("here", "there"), TWO, strict=True)
    ]

    def of(worker_pool: object) -> str:
        team = {"name": "alpha", "prefer_one_zone": True, "worker_pool": worker_pool}
        return warnings(worker_pools=pools, teams=[team])

    assert "prefer_one_zone" not in of(["here", "there"])
    assert "prefer_one_zone" in of("here")
