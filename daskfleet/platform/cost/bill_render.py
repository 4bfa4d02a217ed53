"""A month's bill as people read it."""

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from daskfleet.platform.cost.bill_model import Bill, Billed, LimitState
from daskfleet.visible import in_short

STYLES = {
    LimitState.NONE: "dim",
    LimitState.WITHIN: "green",
    LimitState.PASSES: "bold red",
    LimitState.UNKNOWN: "bold red",
    LimitState.TOO_EARLY: "yellow",
}

LONGEST = 1000

MEANING = (
    "The bill has discounts and credits, and no taxes. The forecast is of the stack file as it is "
    "now, for a mean month of 730 hours, from idle to full."
)


def render_bill(bill: Bill, console: Console) -> None:
    """Print it."""
    console.print(_table(bill))
    for text in _lines(bill):
        console.print(Text(f"  {text}", style="dim"), soft_wrap=True)
    for note in bill.notes:
        console.print(Text(f"  {note}", style="yellow"), soft_wrap=True)
    for part in (*bill.parts, bill.fleet):
        if part.state is not LimitState.NONE:
            console.print(Text(f"  {limit_text(part)}", style=STYLES[part.state]), soft_wrap=True)


def limit_text(part: Billed) -> str:
    """How a part stands to its limit, in one line."""
    who = f"team {part.name}" if part.kind == "team" else part.name
    limit = f"monthly_budget_usd, {part.monthly_budget_usd:,.0f}"
    match part.state:
        case LimitState.PASSES:
            return f"{who}: passes {limit}: the month comes to {_usd(part.month_usd)} USD."
        case LimitState.WITHIN:
            return f"{who}: within {limit}: the month comes to {_usd(part.month_usd)} USD."
        case LimitState.TOO_EARLY:
            return f"{who}: too early in the month to hold it against {limit}."
        case _:
            return f"{who}: nobody can say whether it is within {limit}."


def _lines(bill: Bill) -> list[str]:
    what = "is over" if bill.is_over else "is not over: its rest is taken to be like its last days"
    until = f"{bill.covered_until:%Y-%m-%d %H:%M} UTC" if bill.covered_until else "nowhere"
    read = "" if bill.bytes_read is None else f" BigQuery read {bill.bytes_read / 10**9:,.2f} GB."
    return [
        f"{in_short(bill.source, LONGEST)} reaches to {until}. The month {what}.{read}",
        MEANING,
    ]


def _table(bill: Bill) -> Table:
    table = Table(
        title=Text(f"{bill.stack}: the bill of {bill.month}, in USD", style="bold"),
        title_justify="left",
        box=SIMPLE_HEAD,
    )
    table.add_column("whose")
    for name in ("billed", "the month", "forecast", "beyond it"):
        table.add_column(name, justify="right")
    for part in bill.parts:
        if part.kind != "outside":
            table.add_row(*_cells(part))
    table.add_section()
    table.add_row(*_cells(bill.fleet), style="bold")
    for part in bill.parts:
        if part.kind == "outside":
            table.add_row(*_cells(part))
    return table


def _cells(part: Billed) -> tuple[Text | str, ...]:
    name = Text(f"team {part.name}") if part.kind == "team" else Text(part.name, style="dim")
    forecast = beyond = ""
    if part.kind in {"team", "fleet"}:
        idle, full = _usd(part.forecast_idle_usd), _usd(part.forecast_full_usd)
        forecast = idle if idle == full else f"{idle} to {full}"
        usd = part.beyond_forecast_usd
        beyond = "unknown" if usd is None else f"{usd:+,.2f}" if usd else "none"
    return name, _usd(part.billed_usd), _usd(part.month_usd), forecast, beyond


def _usd(usd: float | None) -> str:
    return "unknown" if usd is None else f"{usd:,.2f}"
