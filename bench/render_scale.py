"""The figures of large fleets on a terminal, and whether they grow faster than the fleet."""

from collections.abc import Iterator
from itertools import pairwise

from rich.console import Console

from bench.dask_clusters import OperatorResult
from bench.record import Record
from bench.render import head, new_table
from bench.scale import ScaleResult, ScaleRow

SCALE_AIM = "aim: nothing grows faster than the number of teams"
OPERATOR_AIM = "aim: 1,000 clusters under one operator"
OPERATORS_AIM = "to compare: an operator for each team"


def render_scale(record: Record[ScaleResult], console: Console) -> None:
    """Print what each command takes on each fleet, and for one team more."""
    table = new_table("teams", "command", "wall s", "CPU s", "peak MiB", "stage CPU s", "others")
    for row in record.result.rows:
        for phase in row.phases:
            usage = phase.usage
            whole_s = usage.wall_s * record.conditions.machine.cores
            others = max(0.0, usage.foreign_cpu_s - phase.stage_cpu_s) / whole_s
            table.add_row(
                str(row.teams),
                phase.name,
                f"{usage.wall_s:.1f}",
                f"{usage.cpu_s:.1f}",
                f"{usage.peak_memory_mib:.0f}",
                f"{phase.stage_cpu_s:.1f}",
                f"{others:.0%}",
            )
        table.add_section()
    head("a fleet of many teams", SCALE_AIM, record.conditions, console)
    console.print(table)
    for row in record.result.rows:
        parts = ", ".join(f"{name} {mib:.0f}" for name, mib in row.stage_mib.items())
        console.print(f"{row.teams} teams, MiB of the stage: {sum(row.stage_mib.values()):.0f}")
        console.print(f"  {parts}", soft_wrap=True)
    for line in _growth(record.result.rows):
        console.print(line, soft_wrap=True)


def _growth(rows: tuple[ScaleRow, ...]) -> Iterator[str]:
    """Say what one team more takes between two sizes: more each time is faster than linear."""
    for number, phase in enumerate(rows[0].phases):
        steps = []
        for fewer, more in pairwise(rows):
            of_fewer, of_more = fewer.phases[number], more.phases[number]
            spent = [each.usage.cpu_s + each.stage_cpu_s for each in (of_fewer, of_more)]
            one_more = (spent[1] - spent[0]) / (more.teams - fewer.teams)
            steps.append(f"{fewer.teams} to {more.teams} {one_more:.2f}")
        if steps:
            yield f"CPU seconds for one more team, {phase.name}: {', '.join(steps)}"


def render_operator(record: Record[OperatorResult], console: Console) -> None:
    """Print what operators take with so many clusters."""
    table = new_table(
        "clusters",
        "operators",
        "new",
        "until ready s",
        "s each",
        "CPU s each",
        "MiB",
        "at rest",
        "one more s",
    )
    for row in record.result.rows:
        table.add_row(
            f"{row.clusters:,}",
            str(row.operators),
            f"{row.new_clusters:,}",
            f"{row.placed_s:.0f}",
            f"{row.placed_s / row.new_clusters:.2f}",
            f"{row.operator_cpu_s / row.new_clusters:.2f}",
            f"{row.operator_mib:.0f}",
            f"{row.at_rest_percent:.0f} %",
            f"{row.one_more_s:.1f}",
        )
    are_many = any(row.operators > 1 for row in record.result.rows)
    aim = OPERATORS_AIM if are_many else OPERATOR_AIM
    head("operators and Dask clusters", aim, record.conditions, console)
    console.print(table)
    console.print("at rest: of one core, while nobody asks for anything")
