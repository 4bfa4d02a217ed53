"""Is the fleet within its monthly budget?"""

from dataclasses import dataclass
from enum import StrEnum

from daskfleet.planning.cost_lines import HOURS_PER_MONTH, Cost

FAR_ABOVE = 1.5
"""Times the budget from which on a change is refused. The estimate may be wrong by less: sustained
use takes up to 30 % off N1 machines alone. The smallest slip is more: the next machine type has
twice the GPUs. See docs/decisions/0016-what-a-fleet-costs.md."""


class BudgetState(StrEnum):
    """How the fleet stands to its budget; from harmless to worst."""

    NONE = "none"
    """The stack has no budget."""

    WITHIN = "within"
    ABOVE = "above"
    """A reader should care."""

    FAR_ABOVE = "far above"
    """A policy should refuse."""


@dataclass(frozen=True, kw_only=True)
class Budget:
    """The fleet's cost beside what it may cost, in US dollars per month."""

    state: BudgetState
    budget: float | None
    idle: float
    full: float

    @property
    def is_exceeded(self) -> bool:
        """Whether the fleet may cost more than its budget."""
        return self.state in {BudgetState.ABOVE, BudgetState.FAR_ABOVE}

    @property
    def text(self) -> str:
        """How the fleet stands to its budget, in one sentence; empty without a budget."""
        if self.budget is None:
            return ""
        share = (
            f"The fleet may cost {self.full:,.0f} USD per month when every pool is full, "
            f"{self.full / self.budget:.0%} of monthly_budget_usd, {self.budget:,.0f}"
        )
        if self.idle > self.budget:
            return f"{share}; idle it already costs {self.idle:,.0f}."
        return f"{share}."


def budget_of(cost: Cost, budget_usd: float | None) -> Budget:
    """Hold the ceiling of a fleet's cost against its budget; see ``budget_at``."""
    return budget_at(
        idle=cost.idle_usd_per_hour * HOURS_PER_MONTH,
        full=cost.full_usd_per_hour * HOURS_PER_MONTH,
        budget_usd=budget_usd,
    )


def budget_at(
    *, idle: float, full: float, budget_usd: float | None, far_above: float = FAR_ABOVE
) -> Budget:
    """Hold monthly figures against a budget.

    Args:
        idle: what the fleet costs when nothing runs, in US dollars per month.
        full: what it costs when every pool is full.
        budget_usd: ``monthly_budget_usd`` of the stack.
        far_above: times the budget from which on the state is ``FAR_ABOVE``.
    """
    return Budget(
        state=_state(full, budget_usd, far_above), budget=budget_usd, idle=idle, full=full
    )


def _state(full: float, budget: float | None, far_above: float) -> BudgetState:
    if budget is None:
        return BudgetState.NONE
    if full <= budget:
        return BudgetState.WITHIN
    return BudgetState.FAR_ABOVE if full > budget * far_above else BudgetState.ABOVE
