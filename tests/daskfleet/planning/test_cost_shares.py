"""Unit tests: who causes which part of the cost, against shares worked out by hand."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from daskfleet.planning.cheap_schedulers import scheduler_saving
from daskfleet.planning.cost_lines import HOURS_PER_MONTH, Cost
from daskfleet.planning.cost_shares import in_cents
from daskfleet.planning.fleet import plan_draft
from daskfleet.planning.plan import FleetPlan
from daskfleet.settings.problems import StackRefusedError
from daskfleet.settings.stack_file import read_stack_file
from tests.daskfleet.planning.documents import minimal, planned

# daskfleet/catalog/data/prices.csv, us-central1; a boot disk costs 0.1 USD per GiB and month.
DISK_100, DISK_200, DISK_300 = (gib * 0.1 / 730 for gib in (100, 200, 300))
FEE, NAT_NODE, NAT_ADDRESS = 0.1, 0.0014, 0.005
SYSTEM = 0.134023 + DISK_100
T4 = 0.35 + DISK_200


def stack_file(name: str) -> FleetPlan:
    return plan_draft(read_stack_file(Path("stacks") / f"Pulumi.{name}.yaml"))


def shares(cost: Cost) -> dict[str, tuple[float, float]]:
    return {
        share.team or share.kind: (float(share.idle), float(share.full)) for share in cost.shares
    }


def close(**expected: tuple[float, float]) -> Any:
    return {owner: pytest.approx(amounts) for owner, amounts in expected.items()}


def test_dev_is_one_team_on_spot_nodes_that_an_idle_fleet_lacks() -> None:
    l4 = 0.479872 + DISK_200
    schedulers = 0.095 + T4
    assert shares(stack_file("dev").cost) == close(
        # One worker on one of at most two nodes, and the only scheduler.
        sandbox=(schedulers, schedulers + l4),
        unused=(0, l4),
        platform=(
            FEE + NAT_ADDRESS + SYSTEM + 2 * NAT_NODE,
            FEE + NAT_ADDRESS + SYSTEM + 4 * NAT_NODE,
        ),
    )


def test_rehearsal_shares_a_t4_between_two_teams() -> None:
    half = (0.189999 + T4) / 2
    gpu = (7.34677 + DISK_200) / 2
    auto = 3.673385 + DISK_200
    assert shares(stack_file("rehearsal").cost) == close(
        climate=(half + 2 * gpu, half + 2 * gpu),
        genomics=(half, half + auto),
        unused=(2 * gpu, 2 * gpu + auto),
        platform=(
            FEE + NAT_ADDRESS + SYSTEM + 4 * NAT_NODE,
            FEE + NAT_ADDRESS + SYSTEM + 6 * NAT_NODE,
        ),
    )


def test_prod_pays_half_of_its_scheduler_slots_for_nobody() -> None:
    slot = (0.379998 + T4) / 4
    a100 = (14.69354 + DISK_300) / 4
    a100_80 = 5.068798 + DISK_200
    l4 = 1.000416 + DISK_200
    assert shares(stack_file("prod").cost) == close(
        climate=(slot + 8 * a100, slot + 8 * a100),
        fraud=(slot + 3 * a100, slot + 3 * a100),
        genomics=(slot, slot + 4 * a100_80),
        marketing=(slot, slot + 4 * l4),
        unused=(4 * slot + a100, 4 * slot + a100 + 2 * l4),
        platform=(
            FEE + NAT_ADDRESS + 2 * SYSTEM + 7 * NAT_NODE,
            FEE + NAT_ADDRESS + 3 * SYSTEM + 18 * NAT_NODE,
        ),
    )


def test_teams_share_what_an_idle_pool_keeps_by_what_they_declare() -> None:
    pool = {"machine_type": "a2-highgpu-4g", "gpus_per_node": 4}
    pool["autoscaling"] = {"min_nodes": 1, "max_nodes": 3}
    teams = [{"name": "alpha", "workers": 9}, {"name": "beta", "workers": 3}]
    scheduler_pool = {"machine_type": "n1-standard-4", "schedulers_per_gpu": 2}
    cost = planned(minimal(worker_pools=[pool], teams=teams, scheduler_pool=scheduler_pool)).cost
    half = (0.189999 + T4) / 2
    node = 14.69354 + DISK_200
    assert shares(cost)["alpha"] == pytest.approx((half + node * 3 / 4, half + node * 9 / 4))
    assert shares(cost)["beta"] == pytest.approx((half + node / 4, half + node * 3 / 4))
    assert shares(cost)["unused"] == (0, 0)


def test_a_scheduler_that_falls_back_pays_for_a_workers_gpu() -> None:
    teams = [
        {"name": "alpha", "workers": 1},
        {"name": "beta", "workers": 1, "scheduler": {"fallback": "worker-pool"}},
    ]
    pool = {"machine_type": "a2-highgpu-4g", "gpus_per_node": 4}
    cost = planned(minimal(worker_pools=[pool], teams=teams)).cost
    gpu = (14.69354 + DISK_200) / 4
    assert shares(cost)["alpha"][1] == pytest.approx(0.095 + T4 + gpu)
    assert shares(cost)["beta"][1] == pytest.approx(2 * gpu)


def test_a_retired_team_has_no_share() -> None:
    teams = [{"name": "alpha"}, {"name": "beta", "retire": True}]
    assert set(shares(planned(minimal(teams=teams)).cost)) == {"alpha", "unused", "platform"}


POOL = st.fixed_dictionaries(
    {
        "autoscaling": st.tuples(st.integers(0, 4), st.integers(1, 6)).map(
            lambda sizes: {"min_nodes": min(sizes), "max_nodes": max(sizes)}
        ),
        "disk_size_gb": st.integers(50, 3000),
        "spot": st.booleans(),
    }
)
STACKS = st.builds(
    lambda pool, workers, use: minimal(
        worker_pools=[pool],
        scheduler_pool={"machine_type": "n1-standard-8", "schedulers_per_gpu": 4},
        teams=[
            {"name": f"team-{number}", "workers": count} for number, count in enumerate(workers)
        ],
        **({"committed_use": {"percent": use, "years": 3}} if use else {}),
    ),
    POOL,
    st.lists(st.integers(0, 6), min_size=1, max_size=4),
    st.integers(0, 100),
)


@given(STACKS)
def test_shares_add_up_to_the_cost_exactly(document: dict[str, Any]) -> None:
    try:
        cost = planned(document).cost
    except StackRefusedError:
        reject()
    assert sum(share.idle for share in cost.shares) == sum(
        line.usd_per_hour_idle for line in cost.lines
    )
    assert sum(share.full for share in cost.shares) == sum(
        line.usd_per_hour_full for line in cost.lines
    )
    assert all(0 <= share.idle <= share.full for share in cost.shares)


AMOUNTS = st.lists(st.fractions(min_value=-10, max_value=10**6), min_size=1, max_size=20)


@given(AMOUNTS)
def test_rounded_amounts_add_up_to_the_rounded_sum(amounts: list[Fraction]) -> None:
    cents = in_cents(amounts)
    assert sum(cents) == round(sum(amounts) * 100)
    assert all(abs(cent - amount * 100) < 1 for cent, amount in zip(cents, amounts, strict=True))


def test_the_scheduler_pool_saves_an_a100_for_each_team() -> None:
    saving = scheduler_saving(planned(minimal()).stack)
    a100 = (7.34677 + DISK_200) / 2
    assert saving.saved == pytest.approx((a100 - 0.095 - T4) * HOURS_PER_MONTH)
    assert saving.text == (
        "1 scheduler on GPUs of the worker pools: 2,692 USD per month; the scheduler pool: 345. "
        "It saves 2,347."
    )


def test_a_scheduler_pool_may_cost_more_than_the_workers_gpus() -> None:
    pool = {"machine_type": "g2-standard-8", "accelerator": "nvidia-l4", "gpus_per_node": 1}
    document = minimal(worker_pools=[pool | {"spot": True, "node_count": 2}])
    saving = scheduler_saving(planned(document).stack)
    assert saving.saved is not None
    assert saving.saved > 0
    saving = scheduler_saving(planned(document | {"scheduler_pool": {"node_count": 2}}).stack)
    assert saving.saved is not None
    assert saving.saved < 0
    assert " It costs " in saving.text
