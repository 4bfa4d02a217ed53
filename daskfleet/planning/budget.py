"""Is the fleet within its monthly budget?"""

from collections.abc import Sequence
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

    UNKNOWN = "unknown"
    """A price is missing, so nobody can say that it is within: a policy should refuse."""

    FAR_ABOVE = "far above"
    """A policy should refuse."""


@dataclass(frozen=True, kw_only=True)
class Budget:
    """The fleet's cost beside what it may cost, in US dollars per month."""

    state: BudgetState
    budget: float | None
    idle: float
    full: float
    unpriced: tuple[str, ...] = ()
    """What has no price, so that both figures are at least."""

    @property
    def needs_care(self) -> bool:
        """Whether the fleet may cost more than its budget, as far as anybody knows."""
        return self.state not in {BudgetState.NONE, BudgetState.WITHIN}

    @property
    def text(self) -> str:
        """How the fleet stands to its budget, in one sentence; empty without a budget."""
        if self.budget is None:
            return ""
        at_least = "at least " if self.unpriced else ""
        share = (
            f"The fleet may cost {at_least}{self.full:,.0f} USD per month when every pool is full, "
            f"{self.full / self.budget:.0%} of monthly_budget_usd, {self.budget:,.0f}"
        )
        if self.idle > self.budget:
            share += f"; idle it already costs {self.idle:,.0f}"
        if self.unpriced:
            share += (
                f". No price is known for {', '.join(self.unpriced)}, so nobody can say that it is "
                "within: give what you pay in daskfleet:prices"
            )
        return f"{share}."


def budget_of(cost: Cost, budget_usd: float | None) -> Budget:
    """Hold the ceiling of a fleet's cost against its budget; see ``budget_at``."""
    return budget_at(
        idle=cost.idle_usd_per_hour * HOURS_PER_MONTH,
        full=cost.full_usd_per_hour * HOURS_PER_MONTH,
        budget_usd=budget_usd,
        unpriced=cost.unpriced,
    )


def budget_at(
    *,
    idle: float,
    full: float,
    budget_usd: float | None,
    unpriced: Sequence[str] = (),
    far_above: float = FAR_ABOVE,
) -> Budget:
    """Hold monthly figures against a budget.

    Args:
        idle: what the fleet costs when nothing runs, in US dollars per month.
        full: what it costs when every pool is full.
        budget_usd: ``monthly_budget_usd`` of the stack.
        unpriced: what has no price, so that both figures are at least.
        far_above: times the budget from which on the state is ``FAR_ABOVE``.
    """
    return Budget(
        state=_state(full, budget_usd, far_above, is_at_least=bool(unpriced)),
        budget=budget_usd,
        idle=idle,
        full=full,
        unpriced=tuple(unpriced),
    )


def _state(
    full: float, budget: float | None, far_above: float, *, is_at_least: bool
) -> BudgetState:
    if budget is None:
        return BudgetState.NONE
    if full > budget * far_above:
        return BudgetState.FAR_ABOVE
    if is_at_least:
        return BudgetState.UNKNOWN
    return BudgetState.WITHIN if full <= budget else BudgetState.ABOVE
