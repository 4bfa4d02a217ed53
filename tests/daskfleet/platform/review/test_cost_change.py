"""Unit: what the fleet costs before and after."""

import pytest

from daskfleet.planning.cheap_schedulers import scheduler_saving
from daskfleet.planning.cost_lines import HOURS_PER_MONTH
from daskfleet.platform.review.cost_change import cost_change
from tests.components.fleets import fleet
from tests.daskfleet.platform.review.previews import preview

BEFORE = {"idle_usd_per_month": 100.0, "full_usd_per_month": 200.0, "idle_usd_per_hour": 0.1}


def test_before_is_the_stacks_output_and_after_the_plans_estimate() -> None:
    plan = fleet(monthly_budget_usd=50_000)
    cost = cost_change(preview(cost_before=BEFORE), plan)

    assert cost is not None
    assert (cost.idle_before, cost.full_before) == (100.0, 200.0)
    assert cost.full_after == pytest.approx(plan.cost.full_usd_per_hour * HOURS_PER_MONTH)
    assert cost.idle_after == pytest.approx(plan.cost.idle_usd_per_hour * HOURS_PER_MONTH)
    assert cost.estimate is plan.cost
    assert cost.saved_by_cheap_schedulers == scheduler_saving(plan.stack).saved
    assert cost.budget == 50_000


def test_a_new_stack_has_no_before_and_a_refused_one_no_after() -> None:
    new, refused = cost_change(preview(), fleet()), cost_change(preview(cost_before=BEFORE), None)

    assert new is not None
    assert (new.idle_before, new.full_before) == (None, None)
    assert refused is not None
    assert (refused.idle_after, refused.estimate, refused.idle_before) == (None, None, 100.0)


def test_of_nothing_nothing_is_said() -> None:
    assert cost_change(preview(), None) is None
