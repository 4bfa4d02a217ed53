"""Unit: the parts of the cost add up to the whole, in figures and in widths."""

import pytest

from daskfleet.platform.report.cost import money_of
from daskfleet.platform.report.teams import team_marks
from tests.daskfleet.platform.report.documents import sample


def test_the_shares_of_a_real_run_add_up() -> None:
    cost = sample().cost
    assert cost is not None
    money = money_of(cost, team_marks(cost.teams))
    assert sum(share.full_percent for share in money.shares) == pytest.approx(100, abs=0.01)
    idle = 100 * cost.idle_usd_per_month / cost.full_usd_per_month
    assert sum(share.idle_percent for share in money.shares) == pytest.approx(idle, abs=0.01)


def test_what_belongs_to_no_team_comes_last_and_has_no_mark() -> None:
    cost = sample().cost
    assert cost is not None
    shares = money_of(cost, team_marks(cost.teams)).shares
    assert [share.kind for share in shares] == ["team", "team", "unused", "platform"]
    assert [bool(share.team) for share in shares] == [True, True, False, False]


def test_totals_in_which_a_price_is_missing_are_at_least() -> None:
    cost = sample().cost
    assert cost is not None
    known = money_of(cost, {})
    unknown = money_of(cost.model_copy(update={"unpriced": ("a3-ultragpu-8g",)}), {})
    assert unknown.full_month == f"at least {known.full_month}"
    assert unknown.idle_hour == f"at least {known.idle_hour}"


def test_a_fleet_that_costs_nothing_has_no_widths() -> None:
    cost = sample().cost
    assert cost is not None
    free = cost.model_copy(update={"full_usd_per_month": 0.0})
    assert {share.full_percent for share in money_of(free, {}).shares} == {0}
