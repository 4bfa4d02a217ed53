"""The report on a terminal."""

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from rehearsal.report.model import Claim, Cost, PodRow, Report, StagePart

INDENT = "  "


def render_report(report: Report, console: Console) -> None:
    """Print pods, claims, stage and cost."""
    console.print()
    console.print(_pods(report.pods))
    console.print()
    console.print(_claims(report.claims))
    console.print()
    console.print(_stage(report.stage))
    if report.cost is not None:
        console.print()
        console.print(_cost(report.cost))
    console.print()
    console.print(_verdict(report))


def _pods(pods: Sequence[PodRow]) -> Table:
    table = _table()
    for header in ("team", "role", "pod", "pool", "GPU", "state"):
        table.add_column(header, overflow="fold", no_wrap=header != "pod")
    previous = ""
    for pod in pods:
        state = Text("Ready", "green") if pod.is_ready else Text(pod.phase, "red")
        team = pod.team if pod.team != previous else ""
        table.add_row(team, pod.role, pod.name, pod.pool, pod.accelerator, state)
        if not pod.is_ready and pod.reason:
            table.add_row("", "", Text(pod.reason, "red"), "", "", "")
        previous = pod.team
    return table


def _claims(claims: Sequence[Claim]) -> Table:
    table = _table(header=False)
    table.add_column("", no_wrap=True)
    table.add_column("claim", ratio=1)
    table.add_column("evidence", ratio=1)
    for claim in claims:
        mark = Text("✓", "green") if claim.holds else Text("✗", "bold red")
        table.add_row(mark, claim.text, Text(claim.evidence, "dim" if claim.holds else "red"))
    return table


def _stage(parts: Sequence[StagePart]) -> Table:
    table = _table(header=False)
    table.add_column("kind", no_wrap=True)
    table.add_column("part", no_wrap=True)
    table.add_column("what ran")
    for is_real, heading in ((True, "real"), (False, "stood in")):
        kind = heading
        for part in parts:
            if part.is_real is is_real:
                table.add_row(Text(kind, "bold"), part.part, Text(part.what_ran, "dim"))
                kind = ""
    return table


def _cost(cost: Cost) -> Text:
    return Text.assemble(
        INDENT,
        f"On GKE, at list prices of {cost.prices_as_of}: ",
        (f"{cost.full_usd_per_hour:,.2f} USD/h", "bold"),
        f" ({cost.full_usd_per_month:,.0f} USD/month) when full, ",
        (f"{cost.idle_usd_per_hour:,.2f} USD/h", "bold"),
        f" ({cost.idle_usd_per_month:,.0f} USD/month) when idle.",
    )


def _verdict(report: Report) -> Text:
    total_s = sum(step.duration_s for step in report.steps)
    took = f" in {total_s:.0f} s" if report.steps else ""
    failed = len(report.failed_claims)
    if failed:
        return Text(f"{INDENT}{failed} of {len(report.claims)} claims do not hold.", "bold red")
    return Text(f"{INDENT}All {len(report.claims)} claims hold{took}.", "bold green")


def _table(*, header: bool = True) -> Table:
    return Table(box=box.SIMPLE_HEAD if header else None, show_header=header, pad_edge=True)
