"""The report as people read it: what is wrong first, with what to type; then what is well."""

from rich.console import Console
from rich.text import Text

from daskfleet.platform.doctor.model import Area, Finding, Outcome, Report
from daskfleet.visible import visible, visible_lines

STYLES = {
    Outcome.WRONG: "bold red",
    Outcome.WARNING: "yellow",
    Outcome.NOT_LOOKED_AT: "magenta",
    Outcome.OK: "green",
}
WIDEST = max(map(len, Outcome))


def render_report(report: Report, console: Console) -> None:
    """Print all findings and what they come to."""
    for finding in report.findings:
        if finding.fix or finding.command:
            _print_block(finding, console)
        else:
            _print_line(finding, console)
    for note in report.notes:
        console.print(Text(f"  {note}", style="dim"), soft_wrap=True)
    counts = {
        outcome: sum(finding.outcome is outcome for finding in report.findings)
        for outcome in Outcome
    }
    told = ", ".join(f"{count} {outcome}" for outcome, count in counts.items() if count)
    style = "bold red" if report.has_wrong else "bold green"
    console.print(Text(f"  {report.stack}: {told}.", style=style), soft_wrap=True)


def _title(finding: Finding) -> Text:
    return Text.assemble(
        (f"  {finding.outcome:<{WIDEST}}  ", STYLES[finding.outcome]),
        visible(f"{finding.area}: {finding.subject}"),
    )


def _print_line(finding: Finding, console: Console) -> None:
    needed = f"{finding.needed} needed, " if finding.area is Area.QUOTA and finding.needed else ""
    told = visible_lines(f": {needed}{finding.there}")
    console.print(_title(finding).append(told), soft_wrap=True)


def _print_block(finding: Finding, console: Console) -> None:
    """Print a finding that somebody has to act on, its command in a line of its own."""
    console.print(_title(finding), soft_wrap=True)
    parts = (
        ("needed", finding.needed),
        ("why" if finding.outcome is Outcome.NOT_LOOKED_AT else "there", finding.there),
        ("fix", finding.fix),
        ("", f"$ {finding.command}" if finding.command else ""),
    )
    indent = " " * (WIDEST + 4)
    for title, text in parts:
        if text:
            inner = visible_lines(text).replace("\n", f"\n{indent}        ")
            console.print(Text(f"{indent}{title:<7} {inner}"), soft_wrap=True)
