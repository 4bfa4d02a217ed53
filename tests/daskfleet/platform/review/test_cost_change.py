"""Unit: what the fleet costs before and after."""

from collections.abc import Callable
from typing import Any

import pytest
from rich.console import Console

from daskfleet.planning.cheap_schedulers import scheduler_saving
from daskfleet.planning.cost_lines import HOURS_PER_MONTH
from daskfleet.planning.plan import FleetPlan
from daskfleet.platform.review.cost_change import cost_change
from daskfleet.platform.review.document import from_json, to_json
from daskfleet.platform.review.markdown.comment import comment
from daskfleet.platform.review.model import Review, Verdict
from daskfleet.platform.review.terminal import render_terminal
from tests.components.fleets import fleet
from tests.daskfleet.platform.review.previews import judged, preview


def in_terminal(review: Review) -> str:
    console = Console(width=200, force_terminal=False, color_system=None)
    with console.capture() as capture:
        render_terminal(review, console)
    return capture.get()


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


def unknown(**changes: Any) -> FleetPlan:
    gpus = {"accelerator": "nvidia-b200", "gpus_per_node": 8}
    pool = {"name": "b200", "machine_type": "a4-highgpu-8g", **gpus}
    return fleet(location="us-central1-b", worker_pools=[pool], **changes)


def test_after_is_not_known_where_a_price_is_missing_and_what_is_known_stands_beside() -> None:
    plan = unknown(monthly_budget_usd=50_000)
    cost = cost_change(preview(cost_before=BEFORE), plan)

    assert cost is not None
    assert (cost.idle_after, cost.full_after) == (None, None)
    assert cost.full_at_least == pytest.approx(plan.cost.full_usd_per_hour * HOURS_PER_MONTH)
    assert cost.unpriced == ("a4-highgpu-8g",)
    assert cost.saved_by_cheap_schedulers is None


@pytest.mark.parametrize(
    "form", [comment, in_terminal, to_json], ids=["comment", "terminal", "json"]
)
def test_each_form_says_that_the_cost_is_not_known(form: Callable[[Review], str]) -> None:
    review = judged(preview(cost_before=BEFORE), unknown(monthly_budget_usd=50_000))
    said = " ".join(form(review).split())

    assert review.verdict is Verdict.NEEDS_CARE
    assert "No price is known for a4-highgpu-8g" in said
    if form is to_json:
        assert from_json(to_json(review)) == review
    else:
        assert "costs at least 602 to at least 602 USD a month" in said
        assert "nobody can say that the ceiling, at least 602 USD, is within the budget" in said


def test_a_comment_names_each_item_and_share_that_is_not_known() -> None:
    said = comment(judged(preview(cost_before=BEFORE), unknown()))

    assert "| b200 | unknown | 1 | unknown | 1 | unknown |" in said
    assert "| alpha | at least" in said
    assert "Within the budget" not in said


def test_of_nothing_nothing_is_said() -> None:
    assert cost_change(preview(), None) is None
