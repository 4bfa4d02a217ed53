"""The report as people read it."""

from collections import Counter

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from daskfleet.team.verify.model import Check, Outcome, Report, TeamReport

MARKS = {
    Outcome.OK: Text("✓", "green"),
    Outcome.FAILED: Text("✗", "bold red"),
    Outcome.NOT_MEASURED: Text("-", "yellow"),
}
STYLES = {Outcome.OK: "dim", Outcome.FAILED: "red", Outcome.NOT_MEASURED: "yellow"}


def render_report(report: Report, console: Console) -> None:
    """Print a table for each team, and how it ended."""
    for team in report.teams:
        console.print(_table(team))
    outcomes = Counter(check.outcome for team in report.teams for check in team.checks)
    said = ", ".join(f"{outcomes[outcome]} {outcome}" for outcome in Outcome if outcomes[outcome])
    style = "bold red" if report.has_failed else "bold green"
    console.print(Text(f"  {report.stack}: {said or 'no teams'}.", style), soft_wrap=True)


def _table(team: TeamReport) -> Table:
    table = Table(box=box.SIMPLE_HEAD, expand=True, title=team.team, title_justify="left")
    table.add_column("", no_wrap=True)
    table.add_column("check", no_wrap=True)
    table.add_column("expected", ratio=2, overflow="fold")
    table.add_column("seen", ratio=3, overflow="fold")
    for check in team.checks:
        table.add_row(MARKS[check.outcome], check.name, check.expected, _seen(check))
    return table


def _seen(check: Check) -> Text:
    seen = check.seen
    if check.outcome is Outcome.NOT_MEASURED:
        seen = f"not measured: {seen}"
    text = Text(seen, STYLES[check.outcome])
    if check.next_step:
        text.append(f"\n{check.next_step}", "not dim default")
    return text
