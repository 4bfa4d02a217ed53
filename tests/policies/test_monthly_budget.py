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


def test_a_fleet_without_a_budget_may_cost_anything(fleet: Fleet) -> None:
    assert fleet.with_value(STACK, *FULL, value=1e9).names(RULE) == []
