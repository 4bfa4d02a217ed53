"""A fleet that may cost far more than its budget is refused, by ``daskfleet.planning.budget``.

So is one of which nobody knows what it costs.
"""

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

from pydantic import Field

from daskfleet.planning.budget import FAR_ABOVE, BudgetState, budget_at
from policies.declared import STACK_TYPE, Declared, items_of
from policies.rule import Parameters, Rule, Violation

NO_COST = (
    "The stack has monthly_budget_usd but its output cost does not say what the fleet costs, so "
    "it is unknown whether the fleet is within the budget. Export the output again, or remove "
    "the budget."
)


class MonthlyBudgetParameters(Parameters):
    """Where the line is. What a fleet may cost says the stack file, ``monthly_budget_usd``."""

    far_above: Annotated[float, Field(ge=1)] = FAR_ABOVE
    """Times the budget from which on the change is refused; below it the review asks for care."""


def _check(fleet: Sequence[Declared], parameters: MonthlyBudgetParameters) -> Iterator[Violation]:
    for stack in (each for each in fleet if each.type == STACK_TYPE):
        idle, full, budget_usd = (
            _number(stack.at("cost", key))
            for key in ("idle_usd_per_month", "full_usd_per_month", "monthly_budget_usd")
        )
        if budget_usd is None:
            continue
        if idle is None or full is None:
            yield Violation(resource=stack, message=NO_COST)
            continue
        budget = budget_at(
            idle=idle,
            full=full,
            budget_usd=budget_usd,
            unpriced=[str(each) for each in items_of(stack.at("cost", "unpriced"))],
            far_above=parameters.far_above,
        )
        if budget.state is BudgetState.FAR_ABOVE:
            yield Violation(
                resource=stack,
                message=f"{budget.text} Make pools smaller, or let somebody raise the budget.",
            )
        elif budget.state is BudgetState.UNKNOWN:
            yield Violation(resource=stack, message=budget.text)


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) else None


RULE = Rule(
    name="monthly-budget",
    description="The fleet is known not to cost far more than its monthly budget.",
    level="mandatory",
    scope="stack",
    parameters=MonthlyBudgetParameters,
    check=_check,
)
