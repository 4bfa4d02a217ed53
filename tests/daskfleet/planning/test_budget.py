"""Unit tests: how a fleet stands to its monthly budget."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daskfleet.planning.budget import FAR_ABOVE, BudgetState, budget_at, budget_of
from daskfleet.planning.cost_lines import HOURS_PER_MONTH, Cost, CostLine
from tests.daskfleet.planning.documents import minimal, planned


def costing(*, idle: float, full: float) -> Cost:
    """A cost that is so much per month."""
    lines = (
        CostLine(item="always", usd_per_hour_each=idle / HOURS_PER_MONTH, idle=1, full=1),
        CostLine(item="more", usd_per_hour_each=(full - idle) / HOURS_PER_MONTH, idle=0, full=1),
    )
    return Cost(lines=lines, priced_on=date(2026, 7, 30), notes=())


@pytest.mark.parametrize(
    ("budget_usd", "state"),
    [
        (None, BudgetState.NONE),
        (3001, BudgetState.WITHIN),
        (2999, BudgetState.ABOVE),
        (2001, BudgetState.ABOVE),
        (1999, BudgetState.FAR_ABOVE),
    ],
)
def test_the_ceiling_is_held_against_the_budget(
    budget_usd: float | None, state: BudgetState
) -> None:
    assert budget_of(costing(idle=500, full=3000), budget_usd).state == state


def test_a_policy_may_say_what_is_far() -> None:
    assert budget_at(idle=500, full=3000, budget_usd=2800, far_above=1).state == "far above"


def test_the_sentence_tells_when_even_an_idle_fleet_breaks_the_budget() -> None:
    cost = costing(idle=2500, full=3000)
    assert budget_of(cost, 2600).text == (
        "The fleet may cost 3,000 USD per month when every pool is full, 115% of "
        "monthly_budget_usd, 2,600."
    )
    assert budget_of(cost, 2400).text.endswith("2,400; idle it already costs 2,500.")
    assert budget_of(cost, None).text == ""


MONEY = st.floats(min_value=0.01, max_value=1e7)


@given(MONEY, MONEY, MONEY)
def test_a_larger_budget_is_never_worse(full: float, one: float, other: float) -> None:
    order = list(BudgetState)
    less, more = sorted((one, other))
    cost = costing(idle=0, full=full)
    assert order.index(budget_of(cost, more).state) <= order.index(budget_of(cost, less).state)


def test_a_preview_warns_above_the_budget_only() -> None:
    # 5,916 USD per month, see docs/cost.md.
    assert not any("budget" in text for text in planned(minimal(monthly_budget_usd=6000)).warnings)
    (warning,) = (
        text
        for text in planned(minimal(monthly_budget_usd=5000)).warnings
        if "monthly_budget_usd" in text
    )
    assert warning.startswith("The fleet may cost 5,9")


def test_far_above_begins_below_the_smallest_slip_of_a_machine_type() -> None:
    assert 1.3 < FAR_ABOVE < 2
