"""Unit tests: a chain of pools for a group's workers, and what of it may disappoint."""

from typing import Any

import pytest

from daskfleet.planning.chain_cost import StepCost, usd_per_hour
from daskfleet.planning.plan import FleetPlan
from daskfleet.planning.tariff import Tariff
from tests.daskfleet.planning.documents import Document, minimal, planned, pods_on, refused

UP_TO_2 = {"autoscaling": {"min_nodes": 0, "max_nodes": 2}}
SPOT = {"name": "a100-spot", "spot": True, **UP_TO_2}
ON_DEMAND = {"name": "a100", **UP_TO_2}
A100_80 = {
    "name": "a100-80",
    "machine_type": "a2-ultragpu-2g",
    "accelerator": "nvidia-a100-80gb",
    **UP_TO_2,
}
CPU = {"name": "cpu", "accelerator": "none", "machine_type": "e2-standard-8"}


def chained(*pools: Document, **team: Any) -> Document:
    """A team whose workers may run on all of these pools, the first preferred."""
    names = [str(pool["name"]) for pool in pools]
    return minimal(
        worker_pools=list(pools),
        teams=[{"name": "alpha", "worker_pool": names, "workers": 6, **team}],
    )


def of_chain(plan: FleetPlan) -> list[str]:
    """The warnings about the chain."""
    return [warning for warning in plan.warnings if warning.startswith("alpha:")]


def test_a_chain_of_one_pool_is_that_pool() -> None:
    group = planned(chained(ON_DEMAND, worker_pool=["a100"], workers=4)).teams[0].first_group

    assert [step.pool.name for step in group.steps] == ["a100"]


def test_workers_beyond_the_first_pool_are_counted_on_the_next() -> None:
    plan = planned(chained(SPOT, ON_DEMAND))

    placed = {each.pool: pods_on(each) for each in plan.placement}
    assert placed["a100-spot"] == 4
    assert placed["a100"] == 2


def test_workers_beyond_all_pools_of_the_chain_are_refused() -> None:
    problem = refused(chained(SPOT, ON_DEMAND, workers=9)).problems[0]

    assert problem.key == "teams[0].workers"
    assert "1 find no place" in problem.reason
    assert problem.allowed.startswith("at most 8")


def test_a_team_that_has_only_the_first_pool_keeps_its_place_there() -> None:
    document = chained(SPOT, ON_DEMAND, workers=5)
    document["teams"].append({"name": "beta", "worker_pool": "a100-spot", "workers": 3})
    document["scheduler_pool"] = {"node_count": 2}
    placed = {each.pool: pods_on(each) for each in planned(document).placement}

    assert placed["a100-spot"] == 4  # three of beta's, one of alpha's
    assert placed["a100"] == 4


def test_both_clusters_of_a_rollout_count_over_the_chain() -> None:
    def rolling(workers: int) -> Document:
        document = chained(SPOT, ON_DEMAND, workers=workers, rollout="blue-green")
        return {**document, "scheduler_pool": {"node_count": 2}}

    planned(rolling(4))
    problem = refused(rolling(5)).problems[0]
    assert problem.key == "worker_pools[1]"
    assert "short by 2" in problem.reason


def test_a_worker_is_as_small_as_the_smallest_share_of_the_chain() -> None:
    small = planned(chained(ON_DEMAND, workers=4)).teams[0].worker
    mixed = planned(chained(A100_80, ON_DEMAND, workers=4)).teams[0].worker

    assert mixed == small


def test_pools_with_and_without_gpus_make_no_chain() -> None:
    problem = refused(chained(ON_DEMAND, CPU, workers=4)).problems[0]

    assert problem.key == "teams[0].worker_pool"
    assert "cpu has no GPUs" in problem.reason


def test_a_scheduler_does_not_fall_back_onto_a_chain() -> None:
    fallback = {"scheduler": {"fallback": "worker-pool"}}
    keys = [each.key for each in refused(chained(SPOT, ON_DEMAND, **fallback)).problems]

    assert "teams[0].scheduler.fallback" in keys


def test_a_misspelt_pool_of_a_chain_is_named() -> None:
    problem = refused(chained(SPOT, ON_DEMAND, worker_pool=["a100-spot", "a10"])).problems[0]

    assert (problem.key, problem.value) == ("teams[0].worker_pool", "a10")
    assert "a100" in problem.next_step


def test_a_pool_that_stands_twice_in_a_chain_is_refused() -> None:
    problem = refused(chained(SPOT, ON_DEMAND, worker_pool=["a100", "a100"])).problems[0]

    assert problem.key == "teams[0].worker_pool"
    assert "twice" in problem.reason


def test_rmm_pools_have_to_fit_the_smallest_gpu_of_the_chain() -> None:
    worker = {"worker": {"rmm_pool_size": 60}}
    problem = refused(chained(A100_80, ON_DEMAND, workers=4, **worker)).problems[0]

    assert problem.key == "teams[0].worker.rmm_pool_size"
    assert "nvidia-tesla-a100" in problem.reason


def test_a_chain_in_the_order_of_the_autoscaler_and_without_fixed_sizes_warns_of_nothing() -> None:
    assert of_chain(planned(chained(SPOT, ON_DEMAND, workers=4))) == []
    # Machines of a reservation are taken first, whatever the list price is.
    reserved = {**ON_DEMAND, "name": "reserved", "reservation": {"name": "r", "machines": 2}}
    assert of_chain(planned(chained(reserved, SPOT, workers=4))) == []


@pytest.mark.parametrize(
    ("pools", "workers", "words"),
    [
        ([ON_DEMAND, SPOT], 4, "grows the cheaper first: a100-spot"),
        ([{"name": "held", "node_count": 1}, SPOT], 4, "waits for the nodes of held"),
        ([A100_80, {**SPOT, "spot": False}], 4, "not the same to a worker"),
        ([SPOT, ON_DEMAND], 6, "room for 4 of 6 workers"),
    ],
    ids=["against the price", "a fixed size", "two models", "the rest is too small"],
)
def test_what_a_chain_does_otherwise_than_its_reader_may_think_is_told(
    pools: list[Document], workers: int, words: str
) -> None:
    warnings = of_chain(planned(chained(*pools, workers=workers)))

    assert any(words in warning for warning in warnings), warnings


def test_pools_are_compared_by_the_price_of_a_worker_with_all_its_gpus() -> None:
    of_one = {**A100_80, "name": "of-one", "machine_type": "a2-ultragpu-2g", "gpus_per_node": 2}
    of_two = {**A100_80, "name": "of-two", "machine_type": "a2-ultragpu-4g", "gpus_per_node": 4}
    prices = {
        name: {"usd_per_hour": usd, "source": "quote 1"}
        for name, usd in (("a2-ultragpu-2g", 11.0), ("a2-ultragpu-4g", 20.0))
    }
    document = chained(of_one, of_two, workers=2, worker={"gpus": 2})
    (told,) = (w for w in of_chain(planned({**document, "prices": prices})) if "cheaper" in w)

    assert "of-two at 10.01 USD per hour and worker, then of-one at 11.03" in told


def test_each_step_of_a_chain_is_priced_and_so_is_the_worst_case() -> None:
    plan = planned(
        {
            **chained(SPOT, ON_DEMAND, workers=4),
            "prices": {"a2-highgpu-2g": {"usd_per_hour": 6, "source": "quote 1"}},
        }
    )
    disk = Tariff(plan.stack).node(plan.stack.worker_pools[0])
    assert disk is not None
    each = f"{disk / 2:.2f}"

    assert plan.cost.notes[0] == (
        f"alpha, USD per hour and worker: a100-spot {each}, a100 {each}. All 4 workers: "
        f"{2 * disk:.2f} with the preferred pools first, {2 * disk:.2f} at the worst."
    )


def test_at_the_worst_the_dearest_pools_carry_the_workers() -> None:
    cheap = StepCost(pool="a", usd_per_node_hour=2, workers_per_node=2, most_workers=4)
    dear = StepCost(pool="b", usd_per_node_hour=8, workers_per_node=2, most_workers=4)

    assert usd_per_hour([cheap, dear], 5) == 2 * 2 + 8  # a node alone for the fifth
    assert usd_per_hour([dear, cheap], 5) == 2 * 8 + 2


def test_without_a_price_of_one_step_the_sum_is_unknown() -> None:
    unpriced = StepCost(pool="b", usd_per_node_hour=None, workers_per_node=8, most_workers=8)

    assert usd_per_hour([unpriced], 1) is None


def test_a_further_group_has_a_chain_of_its_own() -> None:
    group = {"name": "more", "pool": ["a100", "a100-spot"], "workers": 2}
    document = chained(SPOT, ON_DEMAND, worker_pool="a100-spot", workers=4, groups=[group])
    plan = planned(document)

    (further,) = plan.teams[0].further_groups
    assert [step.pool.name for step in further.steps] == ["a100", "a100-spot"]
    assert plan.teams[0].first_group.fallbacks == ()
    assert {each.pool: pods_on(each) for each in plan.placement}["a100"] == 2
    assert any(warning.startswith("alpha, group more: a100 is") for warning in plan.warnings)


def test_the_cpus_of_a_chain_without_gpus_are_shared_out_by_what_is_placed_there() -> None:
    pools = [
        {**CPU, "autoscaling": {"min_nodes": 0, "max_nodes": 1}},
        {**CPU, "name": "more", "autoscaling": {"min_nodes": 0, "max_nodes": 1}},
    ]
    plan = planned(chained(*pools, workers=2))

    (alpha,) = [share for share in plan.cost.shares if share.team == "alpha"]
    unused = next(share for share in plan.cost.shares if share.kind == "unused")
    assert alpha.full > 0
    assert unused.full == 0


def test_two_chains_over_one_pool_of_cpus_count_each_worker_once() -> None:
    """Else the team would pay a part of what another team uses."""
    pools = [{**CPU, "node_count": 3}, {**CPU, "name": "more", "node_count": 4}]
    names = [str(pool["name"]) for pool in pools]
    group = {"name": "second", "pool": names, "workers": 2}

    def parts(*groups: Document) -> float:
        document = chained(*pools, workers=2 + 2 * (not groups), groups=list(groups))
        (alpha,) = [s for s in planned(document).cost.shares if s.team == "alpha"]
        return float(alpha.full)

    assert parts(group) == pytest.approx(parts())


def test_machines_of_a_reservation_are_paid_for_and_a_worker_there_adds_its_disk() -> None:
    kept = {**ON_DEMAND, "name": "a100-kept", "reservation": {"name": "kept", "machines": 2}}

    def note(*pools: Document) -> str:
        cost = planned(chained(*pools, workers=4)).cost
        return next(note for note in cost.notes if note.startswith("alpha, USD"))

    assert "a100-kept 0.01 beside its reservation, a100 3.69. " in note(kept, ON_DEMAND)
    assert "beside its reservation" not in note(SPOT, ON_DEMAND)
