"""What Pulumi asks of the bucket that keeps its state, on a terminal."""

from rich.console import Console

from bench.process_tree import MIB
from bench.record import Record
from bench.render import head, new_table
from bench.state import StateResult

AIM = "aim: to know what a save costs; only the number of requests is exact"


def render_state(record: Record[StateResult], console: Console) -> None:
    """Print what each command asked, for each fleet and way to keep its state."""
    columns = ("saves", "requests", "refused", "MB sent", "MB read", "wall s")
    table = new_table("teams", "ms", "engine", "command", *columns)
    for row in record.result.rows:
        engine = f"{row.engine}, {row.writes_per_s:g}/s" if row.writes_per_s else row.engine
        for phase in row.phases:
            table.add_row(
                str(row.teams),
                str(row.latency_ms),
                engine,
                phase.name,
                f"{phase.saves:,}",
                f"{sum(phase.requests.values()):,}",
                f"{phase.refused:,}",
                f"{phase.sent_bytes / MIB:,.1f}",
                f"{phase.received_bytes / MIB:,.1f}",
                f"{phase.usage.wall_s:.0f}",
            )
        table.add_section()
    head("state in a bucket", AIM, record.conditions, console)
    console.print(table)
    for row in record.result.rows:
        console.print(
            f"{row.teams} teams, {row.latency_ms} ms, {row.engine}: "
            f"the state has {row.state_bytes / MIB:.2f} MB",
            soft_wrap=True,
        )
    console.print("refused: the object had been written too short a time before")
