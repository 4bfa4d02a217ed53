"""The report on a terminal."""

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from daskfleet.contract.seen import PodRow
from rehearsal.report.model import (
    TOOLCHAIN_STEP,
    UP_STEP,
    Claim,
    Cost,
    Report,
    StagePart,
    StepResult,
)
from rehearsal.timeline.model import Timeline

INDENT = "  "


def render_report(report: Report, console: Console) -> None:
    """Print pods, claims, stage and cost."""
    console.print()
    console.print(_pods(report.pods))
    console.print()
    console.print(_claims(report.claims))
    console.print()
    console.print(_stage(report.stage))
    if report.timeline is not None:
        console.print()
        console.print(_timeline(report.timeline))
    if report.cost is not None:
        console.print()
        console.print(_cost(report.cost))
    console.print()
    console.print(_verdict(report))


def _pods(pods: Sequence[PodRow]) -> Table:
    """Two lines per pod, so that whole names fit beside each other: they are for kubectl."""
    table = _table()
    table.add_column("team\nrole", no_wrap=True)
    table.add_column("pod\nnode", overflow="fold")
    table.add_column("pool\nGPU", no_wrap=True)
    table.add_column("state", no_wrap=True)
    for pod in pods:
        state = Text("Ready", "green") if pod.is_ready else Text(pod.phase, "red")
        below = Text(pod.node, "dim") if pod.node else Text("no node", "red")
        if not pod.is_ready and pod.reason:
            below = Text(pod.reason, "red")
        table.add_row(
            Text.assemble((pod.team, "bold"), "\n", (pod.role, "dim")),
            Text.assemble(pod.name, "\n", below),
            Text.assemble(pod.pool, "\n", (pod.accelerator, "dim")),
            state,
        )
    return table


def _claims(claims: Sequence[Claim]) -> Table:
    table = _table(header=False)
    table.add_column("", no_wrap=True)
    table.add_column("claim", ratio=1)
    table.add_column("evidence", ratio=1, overflow="fold")
    for claim in claims:
        evidence = Text(claim.evidence, "red" if claim.fails else "dim")
        if claim.fails and claim.next_step:
            evidence.append(f"\n{claim.next_step}", "default")
        team = f"{claim.team}: " if claim.team else ""
        table.add_row(_mark(claim), f"{team}{claim.text}", evidence)
    return table


def _mark(claim: Claim) -> Text:
    if not claim.is_measured:
        return Text("?", "yellow")
    return Text("✓", "green") if claim.holds else Text("✗", "bold red")


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


def _timeline(timeline: Timeline) -> Table:
    table = _table(header=False)
    table.add_column("what", no_wrap=True)
    table.add_column("seconds", ratio=1)
    table.add_row(
        Text("critical path", "bold"),
        Text(", ".join(f"{s.group} {s.duration_s:.1f} s" for s in timeline.critical_path)),
    )
    if timeline.ratio is not None:
        table.add_row(
            Text("necessary", "bold"),
            Text(
                f"up {timeline.up_s:.1f} s, {timeline.ratio:.2f} x the {timeline.necessary_s:.1f} s"
                f" that no order avoids ({timeline.latency}; without image pulls)"
            ),
        )
        for step in timeline.necessary:
            words = Text.assemble(
                f"{step.name} {step.duration_s:.1f} s", (f"; {step.source}", "dim")
            )
            table.add_row("", words)
    return table


def _cost(cost: Cost) -> Table:
    table = _table(header=False)
    table.add_column("what", no_wrap=True)
    for _ in ("per hour", "per month"):
        table.add_column("price", justify="right", no_wrap=True)
    for what, hourly, monthly in (
        ("full", cost.full_usd_per_hour, cost.full_usd_per_month),
        ("idle", cost.idle_usd_per_hour, cost.idle_usd_per_month),
    ):
        at_least = "at least " if cost.unpriced else ""
        table.add_row(
            Text.assemble((f"{what:<10}", "bold"), f"list prices of {cost.prices_as_of}, on GKE"),
            f"{at_least}{hourly:,.2f} USD/hour",
            f"{at_least}{monthly:,.0f} USD/month",
        )
    return table


def _verdict(report: Report) -> Text:
    failed = len(report.failed_claims)
    measured = sum(claim.is_measured for claim in report.claims)
    left = len(report.claims) - measured
    unmeasured = f" {left} more could not be measured here." if left else ""
    if failed:
        return Text.assemble(
            (f"{INDENT}{failed} of {measured} claims do not hold.", "bold red"),
            (unmeasured, "yellow"),
        )
    return Text.assemble(
        INDENT,
        (f"All {measured} claims hold.", "bold green"),
        (unmeasured, "yellow"),
        (_how_long(report.steps), "dim"),
    )


def _how_long(steps: Sequence[StepResult]) -> str:
    """Say how long `pulumi up` alone took, all steps, and the toolchain, which is none of them."""
    if not steps:
        return ""
    toolchain_s = sum(step.duration_s for step in steps if step.name == TOOLCHAIN_STEP)
    up_s = sum(step.duration_s for step in steps if step.name == UP_STEP)
    all_s = sum(step.duration_s for step in steps) - toolchain_s
    before = f", after {toolchain_s:.0f} s for the toolchain" if toolchain_s >= 1 else ""
    return f"\n{INDENT}The last `pulumi up` took {up_s:.0f} s, all steps {all_s:.0f} s{before}."


def _table(*, header: bool = True) -> Table:
    return Table(box=box.SIMPLE_HEAD if header else None, show_header=header, pad_edge=True)
