"""Pure: what the fleet costs before and after, per month."""

from planning.plan import HOURS_PER_MONTH, FleetPlan
from review.model import CostChange, Preview


def cost_change(preview: Preview, plan: FleetPlan | None) -> CostChange | None:
    """The change; None when neither side is known."""
    if plan is None and preview.cost_before is None:
        return None
    before = preview.cost_before or {}
    cost = plan.cost if plan else None
    return CostChange(
        idle_before=before.get("idle_usd_per_month"),
        idle_after=cost.idle_usd_per_hour * HOURS_PER_MONTH if cost else None,
        full_before=before.get("full_usd_per_month"),
        full_after=cost.full_usd_per_hour * HOURS_PER_MONTH if cost else None,
        estimate=cost,
        saved_by_cheap_schedulers=_saved(plan) if plan else None,
        budget=plan.stack.monthly_budget_usd if plan else None,
    )


def _saved(plan: FleetPlan) -> float | None:
    """What one GPU of its own worker pool for each scheduler would cost more.

    None where a pool has no price. The scheduler pool counts with all its nodes, since it is
    there for nothing else.
    """
    lines = {line.item: line for line in plan.cost.lines}
    own = lines.get(plan.stack.scheduler_pool.name)
    pools = [lines.get(each.worker_pool.name) for each in plan.teams]
    if own is None or None in pools:
        return None
    on_workers = sum(
        lines[each.worker_pool.name].usd_per_hour_each / each.worker_pool.gpus_per_node
        for each in plan.teams
    )
    return (on_workers - own.usd_per_hour_each * own.full) * HOURS_PER_MONTH
