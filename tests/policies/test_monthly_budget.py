"""Unit: the budget."""

import pytest

from daskfleet.planning.budget import FAR_ABOVE
from policies.monthly_budget import RULE
from tests.policies.fleets import Fleet, recorded

STACK = "daskfleet-test"
FULL = ("cost", "full_usd_per_month")
BUDGET = ("cost", "monthly_budget_usd")


def test_a_fleet_that_may_cost_far_more_than_its_budget_is_refused_with_the_figures() -> None:
    ((name, message),) = recorded(monthly_budget_usd=100).violations(RULE)

    assert name == STACK
    assert "of monthly_budget_usd, 100" in message


@pytest.mark.parametrize(("share", "is_refused"), [(FAR_ABOVE, False), (FAR_ABOVE + 0.01, True)])
def test_the_line_is_that_of_planning(fleet: Fleet, share: float, is_refused: bool) -> None:  # noqa: FBT001
    costly = fleet.with_value(STACK, *BUDGET, value=1000.0)
    costly = costly.with_value(STACK, *FULL, value=1000.0 * share)

    assert bool(costly.names(RULE)) == is_refused
    assert not costly.names(RULE, far_above=2)


def test_a_fleet_of_which_a_price_is_not_known_is_refused_until_somebody_gives_it(
    fleet: Fleet,
) -> None:
    budgeted = fleet.with_value(STACK, *BUDGET, value=1e9)
    unknown = budgeted.with_value(STACK, "cost", "unpriced", value=["a3-ultragpu-8g"])

    assert budgeted.names(RULE) == []
    ((name, message),) = unknown.violations(RULE)
    assert name == STACK
    assert "No price is known for a3-ultragpu-8g" in message
    assert "daskfleet:prices" in message


@pytest.mark.parametrize("lost", ["idle_usd_per_month", "full_usd_per_month"])
def test_a_budget_beside_no_cost_is_refused(fleet: Fleet, lost: str) -> None:
    silent = fleet.with_value(STACK, *BUDGET, value=1e9).with_value(STACK, "cost", lost, value=None)

    ((_, message),) = silent.violations(RULE)
    assert "does not say what the fleet costs" in message


def test_a_fleet_without_a_budget_may_cost_anything(fleet: Fleet) -> None:
    assert fleet.with_value(STACK, *FULL, value=1e9).names(RULE) == []
