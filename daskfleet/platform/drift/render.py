"""The report as people read it."""

import json

from pydantic import JsonValue
from rich.console import Console
from rich.table import Table
from rich.text import Text

from daskfleet.platform.drift.model import Difference, Report, Severity

STYLES = {
    Severity.GONE: "bold red",
    Severity.UNKNOWN: "bold magenta",
    Severity.CHANGED: "yellow",
    Severity.INFORMATION: "dim",
}
LONGEST_VALUE = 200
"""Characters; ``--json`` has all."""


def render_report(report: Report, console: Console) -> None:
    """Print the table, or that there is nothing to print in it."""
    if report.differences:
        console.print(_table(report))
        _print_questions(report, console)
    for notice in report.notices:
        console.print(Text(f"  {notice}", style="yellow"), soft_wrap=True)
    compared = (
        f"{report.google_resources} resources on Google Cloud and {report.kubernetes_objects} in "
        "the cluster compared with what the last `pulumi up` declared"
    )
    drifted = sum(difference.is_drift for difference in report.differences)
    outcome = f"{drifted} differ" if drifted else "no drift"
    console.print(Text(f"  {report.stack}: {outcome}; {compared}."), soft_wrap=True)


def _print_questions(report: Report, console: Console) -> None:
    """Print commands outside of the table, where they can be copied."""
    asked = [difference for difference in report.differences if difference.ask]
    if asked:
        console.print("  Who did it, according to Google's audit log:")
    for ask in dict.fromkeys(difference.ask for difference in asked):
        console.print(Text(f"    {ask}"), soft_wrap=True)


def _table(report: Report) -> Table:
    table = Table(show_lines=True, expand=True)
    table.add_column("resource, field", ratio=3, overflow="fold")
    table.add_column("declared", ratio=2, overflow="fold")
    table.add_column("found", ratio=2, overflow="fold")
    table.add_column("owner (evidence)", ratio=4, overflow="fold")
    table.add_column("what to do", ratio=6, overflow="fold")
    for difference in report.differences:
        table.add_row(
            _resource(difference),
            Text(_value(difference.declared)),
            Text(_value(difference.found)),
            Text(f"{difference.owner} ({difference.evidence})"),
            Text(difference.remedy),
        )
    return table


def _resource(difference: Difference) -> Text:
    return Text.assemble(
        (f"{difference.severity}\n", STYLES[difference.severity]),
        difference.resource,
        f"\n{difference.field}" if difference.field else "",
    )


def _value(value: JsonValue) -> str:
    if value is None:
        return "-"
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}…"
