"""Unit: a price that nobody knows is unknown, and never 0."""

from typing import Any

import pytest

import daskfleet.planning.tariff
from daskfleet.catalog.prices import prices
from daskfleet.planning.budget import BudgetState, budget_of
from daskfleet.planning.cheap_schedulers import scheduler_saving
from daskfleet.planning.cost import estimate
from daskfleet.planning.cost_lines import Cost
from daskfleet.planning.plan import FleetPlan
from daskfleet.planning.sleep_cost import floor_of
from daskfleet.planning.tariff import Tariff
from daskfleet.settings.stack import Stack
from tests.daskfleet.planning.documents import Document, minimal, planned

H200: Document = {
    "name": "gpus",
    "machine_type": "a3-ultragpu-8g",
    "accelerator": "nvidia-h200-141gb",
    "gpus_per_node": 8,
}
MEGA: Document = {**H200, "machine_type": "a3-megagpu-8g", "accelerator": "nvidia-h100-mega-80gb"}
B200: Document = {**H200, "machine_type": "a4-highgpu-8g", "accelerator": "nvidia-b200"}
V100: Document = {
    "name": "gpus",
    "machine_type": "n1-standard-8",
    "accelerator": "nvidia-tesla-v100",
    "gpus_per_node": 1,
}
P4: Document = {**V100, "accelerator": "nvidia-tesla-p4"}
QUOTED: Document = {"a4-highgpu-8g": {"usd_per_hour": 88.5, "source": "quote 123"}}


def fleet(pool: Document = B200, **changes: Any) -> FleetPlan:
    return planned(minimal(location="us-central1-b", worker_pools=[pool], **changes))


def settings(pool: Document, **changes: Any) -> Stack:
    """The same, wherever its GPUs are and whether an image runs on them."""
    return Stack.model_validate(minimal(worker_pools=[pool], **changes))


def line_of(cost: Cost, item: str = "gpus") -> Any:
    return next(line for line in cost.lines if line.item == item)


@pytest.mark.parametrize(
    ("pool", "unpriced"),
    [
        (H200, "a3-ultragpu-8g"),
        (MEGA, "a3-megagpu-8g"),
        (B200, "a4-highgpu-8g"),
        (V100, "nvidia-tesla-v100"),
        (P4, "nvidia-tesla-p4"),
    ],
    ids=["H200", "H100 Mega", "B200", "V100", "P4"],
)
def test_what_the_catalog_has_no_price_of_is_unknown(
    pool: Document, unpriced: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    without = {key: price for key, price in prices().items() if key[0] != unpriced}
    monkeypatch.setattr(daskfleet.planning.tariff, "prices", lambda: without)
    stack = settings(pool)
    cost = estimate(stack)

    assert Tariff(stack).node(stack.worker_pools[0]) is None
    assert cost.unpriced == (unpriced,)
    assert line_of(cost).usd_per_hour_each is None
    assert (cost.idle_is_at_least, cost.full_is_at_least) == (True, True)
    (note,) = (note for note in cost.notes if "No price is known" in note)
    assert unpriced in note


def test_what_is_not_there_when_nothing_runs_costs_nothing_then_and_that_is_known() -> None:
    cost = fleet({**B200, "autoscaling": {"min_nodes": 0, "max_nodes": 2}}).cost

    assert (cost.idle_is_at_least, cost.full_is_at_least) == (False, True)


def test_a_share_is_at_least_where_its_pool_has_no_price() -> None:
    team = {"workers": 4}
    pools = [
        B200,
        {**V100, "name": "l4", "machine_type": "g2-standard-4", "accelerator": "nvidia-l4"},
    ]
    cost = planned(
        minimal(
            location="us-central1-b",
            worker_pools=pools,
            teams=[
                {"name": "dear", "worker_pool": "gpus", **team},
                {"name": "cheap", "worker_pool": "l4", "workers": 1},
            ],
            scheduler_pool={"machine_type": "n1-standard-8", "schedulers_per_gpu": 2},
        )
    ).cost
    at_least = {share.team or share.kind: share.full_is_at_least for share in cost.shares}

    assert at_least == {"dear": True, "cheap": False, "unused": True, "platform": False}


@pytest.mark.parametrize(
    ("budget_usd", "state"),
    [(None, "none"), (1e9, "unknown"), (400, "unknown"), (100, "far above")],
)
def test_nothing_unknown_is_within_a_budget(budget_usd: float | None, state: str) -> None:
    budget = budget_of(fleet().cost, budget_usd)

    assert budget.state == state
    assert budget.needs_care == (budget_usd is not None)


def test_the_budget_says_what_is_missing_and_what_to_do() -> None:
    (warning,) = (
        text for text in fleet(monthly_budget_usd=5000).warnings if "monthly_budget_usd" in text
    )

    assert warning.startswith("The fleet may cost at least 532 USD per month")
    assert "No price is known for a4-highgpu-8g" in warning
    assert warning.endswith("give what you pay in daskfleet:prices.")


def test_the_stack_file_may_give_the_price_of_a_machine_with_its_gpus() -> None:
    plan = fleet({**B200, "node_count": 2}, prices=QUOTED, monthly_budget_usd=150_000)
    disk = 200 * 0.08 / 730  # GiB of hyperdisk-balanced

    assert plan.cost.unpriced == ()
    assert line_of(plan.cost).usd_per_hour_each == pytest.approx(88.5 + disk)
    assert budget_of(plan.cost, 150_000).state is BudgetState.WITHIN
    assert (
        "Prices of the stack file: a4-highgpu-8g 88.50 USD per hour (quote 123)." in plan.cost.notes
    )


def test_the_price_of_an_attached_gpu_counts_for_each() -> None:
    price = {"nvidia-tesla-v100": {"usd_per_hour": 2.48, "source": "quote 7"}}
    one, two = (
        estimate(settings({**V100, "gpus_per_node": count}, prices=price)) for count in (1, 2)
    )

    assert line_of(two).usd_per_hour_each - line_of(one).usd_per_hour_each == pytest.approx(2.48)


def test_a_given_price_takes_the_catalogs_place_and_no_discount_comes_off_it() -> None:
    given = {"a2-highgpu-2g": {"usd_per_hour": 5, "source": "contract"}}
    cost = planned(minimal(prices=given, committed_use={"percent": 100, "years": 3})).cost
    items = {line.item for line in cost.lines}

    assert "system: committed use" in items
    assert "a100: committed use" not in items
    assert line_of(cost, "a100").usd_per_hour_each < 5.1


@pytest.mark.parametrize(("spot_usd", "expected"), [(None, 5), (2, 2)])
def test_a_contract_may_have_another_price_for_spot(
    spot_usd: float | None, expected: float
) -> None:
    price = {"usd_per_hour": 5, "usd_per_hour_spot": spot_usd, "source": "contract 7"}
    pools = [{"name": name, "spot": name == "spot"} for name in ("spot", "steady")]
    cost = estimate(
        Stack.model_validate(minimal(worker_pools=pools, prices={"a2-highgpu-2g": price}))
    )
    disk = 200 * 0.1 / 730

    assert line_of(cost, "spot").usd_per_hour_each == pytest.approx(expected + disk)
    assert line_of(cost, "steady").usd_per_hour_each == pytest.approx(5 + disk)
    assert any("as spot 2.00 (contract 7)" in note for note in cost.notes) == (spot_usd == 2)


def test_what_is_reckoned_from_an_unknown_price_is_unknown_too() -> None:
    team = {"name": "alpha", "workers": 2, "idle": {"workers_after_min": 30}}
    plan = fleet(teams=[team])
    floor, saving = floor_of(plan), scheduler_saving(plan.stack)

    assert floor is not None
    assert (floor.with_sleep, floor.without_sleep) == (None, None)
    assert "is unknown" in floor.text
    assert saving.saved is None
    assert "not known" in saving.text


def test_a_scheduler_that_falls_back_onto_it_costs_what_nobody_knows() -> None:
    team = {"name": "alpha", "workers": 2, "scheduler": {"fallback": "worker-pool"}}

    assert any("at a price that is not known" in note for note in fleet(teams=[team]).cost.notes)


def test_a_system_pool_of_a_type_that_only_the_catalog_lacks_is_planned_without_a_price() -> None:
    plan = planned(minimal(system_pool={"machine_type": "n2-standard-2"}))

    assert budget_of(plan.cost, 1_000_000).state is BudgetState.UNKNOWN
    assert "n2-standard-2" in plan.cost.unpriced
