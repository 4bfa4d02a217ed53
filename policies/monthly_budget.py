"""A fleet that may cost far more than its budget is refused, by ``daskfleet.planning.budget``."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

from pydantic import Field

from daskfleet.planning.budget import FAR_ABOVE, BudgetState, budget_at
from policies.declared import STACK_TYPE, Declared
from policies.rule import Parameters, Rule, Violation


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
        if idle is None or full is None:
            continue
        budget = budget_at(
            idle=idle, full=full, budget_usd=budget_usd, far_above=parameters.far_above
        )
        if budget.state is BudgetState.FAR_ABOVE:
            yield Violation(
                resource=stack,
                message=f"{budget.text} Make pools smaller, or let somebody raise the budget.",
            )


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) else None


RULE = Rule(
    name="monthly-budget",
    description="The fleet cannot cost far more than its monthly budget.",
    level="mandatory",
    scope="stack",
    parameters=MonthlyBudgetParameters,
    check=_check,
)
