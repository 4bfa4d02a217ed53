"""Pure: what the fleet costs before and after, per month."""

from daskfleet.planning.cheap_schedulers import scheduler_saving
from daskfleet.planning.cost_lines import HOURS_PER_MONTH
from daskfleet.planning.plan import FleetPlan
from daskfleet.platform.review.model import CostChange, Preview


def cost_change(preview: Preview, plan: FleetPlan | None) -> CostChange | None:
    """The change; None when neither side is known."""
    if plan is None and preview.cost_before is None:
        return None
    before = preview.cost_before or {}
    cost = plan.cost if plan else None
    idle = cost.idle_usd_per_hour * HOURS_PER_MONTH if cost else None
    full = cost.full_usd_per_hour * HOURS_PER_MONTH if cost else None
    idle_is_at_least = cost is not None and cost.idle_is_at_least
    full_is_at_least = cost is not None and cost.full_is_at_least
    return CostChange(
        idle_before=before.get("idle_usd_per_month"),
        idle_after=None if idle_is_at_least else idle,
        full_before=before.get("full_usd_per_month"),
        full_after=None if full_is_at_least else full,
        idle_at_least=idle if idle_is_at_least else None,
        full_at_least=full if full_is_at_least else None,
        unpriced=cost.unpriced if cost else (),
        estimate=cost,
        saved_by_cheap_schedulers=scheduler_saving(plan.stack).saved if plan else None,
        budget=plan.stack.monthly_budget_usd if plan else None,
    )
