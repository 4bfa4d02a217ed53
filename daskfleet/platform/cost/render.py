"""The cost of a stack as people read it."""

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from daskfleet.planning.budget import BudgetState
from daskfleet.platform.cost.document import CostDocument, Share

BUDGET_STYLES = {
    BudgetState.NONE: "dim",
    BudgetState.WITHIN: "green",
    BudgetState.ABOVE: "yellow",
    BudgetState.UNKNOWN: "bold red",
    BudgetState.FAR_ABOVE: "bold red",
}


UNKNOWN = "unknown"


def render_cost(cost: CostDocument, console: Console) -> None:
    """Print what the fleet costs: by item, by team, and beside its budget."""
    console.print(_items(cost))
    console.print(_shares(cost))
    console.print(Text(f"  {_per_hour(cost)}", style="bold"), soft_wrap=True)
    console.print(_budget(cost), soft_wrap=True)
    console.print(Text(f"  {cost.scheduler_pool.text}"), soft_wrap=True)
    if cost.floor:
        console.print(Text(f"  {cost.floor.text}"), soft_wrap=True)
    console.print(
        Text(
            f"  Oldest dated price: {cost.prices_as_of.isoformat()}, {cost.prices_age_days} days "
            "ago; --json has each price with its source."
        ),
        soft_wrap=True,
    )
    for note in cost.notes:
        console.print(Text(f"  {note}", style="dim"), soft_wrap=True)
    for warning in cost.warnings:
        console.print(Text(f"  {warning}", style="yellow"), soft_wrap=True)


def _items(cost: CostDocument) -> Table:
    table = _table(
        f"{cost.stack}: what it costs in {cost.region}",
        "item",
        "USD/h each",
        "idle",
        "full",
    )
    for item in cost.items:
        table.add_row(
            Text(item.item),
            UNKNOWN if item.usd_per_hour_each is None else f"{item.usd_per_hour_each:,.4f}",
            str(item.idle),
            str(item.full),
            *(
                UNKNOWN if usd is None else f"{usd:,.2f}"
                for usd in (item.idle_usd_per_month, item.full_usd_per_month)
            ),
        )
    table.add_section()
    table.add_row("all", "", "", "", *_sums(cost), style="bold")
    return table


def _shares(cost: CostDocument) -> Table:
    table = _table("Who causes it", "share")
    for share in cost.shares:
        table.add_row(_owner(share), *_sums(share))
    table.add_section()
    table.add_row("all", *_sums(cost), style="bold")
    return table


def _table(title: str, first: str, *numbers: str) -> Table:
    table = Table(title=Text(title, style="bold"), title_justify="left", box=SIMPLE_HEAD)
    table.add_column(first)
    for number in (*numbers, "idle USD/month", "full USD/month"):
        table.add_column(number, justify="right")
    return table


def _owner(share: Share) -> Text:
    if share.kind == "team":
        return Text(f"team {share.team}")
    if share.kind == "unused":
        return Text("GPUs that no team declares pods for", style="dim")
    return Text("platform: cluster, network, system pool", style="dim")


def _sums(of: CostDocument | Share) -> tuple[str, str]:
    return (
        _sum(of.idle_usd_per_month, of.idle_usd_per_month_at_least),
        _sum(of.full_usd_per_month, of.full_usd_per_month_at_least),
    )


def _sum(usd: float | None, at_least: float) -> str:
    return f"at least {at_least:,.2f}" if usd is None else f"{usd:,.2f}"


def _per_hour(cost: CostDocument) -> str:
    idle, full = (
        UNKNOWN if usd is None else f"{usd:,.2f} USD"
        for usd in (cost.idle_usd_per_hour, cost.full_usd_per_hour)
    )
    return f"Per hour: {idle} idle, {full} with every pool full."


def _budget(cost: CostDocument) -> Text:
    budget = cost.budget
    text = budget.text or "No budget: monthly_budget_usd is not set."
    state = "" if budget.state == BudgetState.NONE else f"Budget: {budget.state}. "
    return Text(f"  {state}{text}", style=BUDGET_STYLES[budget.state])
