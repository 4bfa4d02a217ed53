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
    BudgetState.FAR_ABOVE: "bold red",
}


def render_cost(cost: CostDocument, console: Console) -> None:
    """Print what the fleet costs: by item, by team, and beside its budget."""
    console.print(_items(cost))
    console.print(_shares(cost))
    console.print(
        Text(
            f"  Per hour: {cost.idle_usd_per_hour:,.2f} USD idle, {cost.full_usd_per_hour:,.2f} "
            "USD with every pool full.",
            style="bold",
        ),
        soft_wrap=True,
    )
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
            f"{item.usd_per_hour_each:,.4f}",
            str(item.idle),
            str(item.full),
            *_money(item.idle_usd_per_month, item.full_usd_per_month),
        )
    table.add_section()
    table.add_row(
        "all", "", "", "", *_money(cost.idle_usd_per_month, cost.full_usd_per_month), style="bold"
    )
    return table


def _shares(cost: CostDocument) -> Table:
    table = _table("Who causes it", "share")
    for share in cost.shares:
        table.add_row(_owner(share), *_money(share.idle_usd_per_month, share.full_usd_per_month))
    table.add_section()
    table.add_row("all", *_money(cost.idle_usd_per_month, cost.full_usd_per_month), style="bold")
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


def _money(*usd: float) -> tuple[str, ...]:
    return tuple(f"{each:,.2f}" for each in usd)


def _budget(cost: CostDocument) -> Text:
    budget = cost.budget
    text = budget.text or "No budget: monthly_budget_usd is not set."
    state = "" if budget.state == BudgetState.NONE else f"Budget: {budget.state}. "
    return Text(f"  {state}{text}", style=BUDGET_STYLES[budget.state])
