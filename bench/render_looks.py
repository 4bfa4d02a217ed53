"""The figures of pages and looks on a terminal."""

from rich.console import Console

from bench.looks import LooksResult
from bench.record import Record
from bench.render import head, new_table
from bench.spread import Spread

PAGE_AIM = "aim: 200 teams on 500 nodes under 2 MB and usable in 2 s"
STATUS_AIM = "aim: 50 teams under 3 s, 200 teams under 5 s and 300 MiB"
BYTES_PER_MB = 1e6


def render_looks(record: Record[LooksResult], console: Console) -> None:
    """Print what the page and the look at all teams take."""
    table = new_table("teams", "nodes", "pods", "MB", "elements", "made s", "usable s", "heap MiB")
    for row in record.result.pages:
        table.add_row(
            str(row.teams),
            str(row.nodes),
            f"{row.pods:,}",
            f"{row.page_bytes / BYTES_PER_MB:.2f}",
            f"{row.elements:,}",
            f"{row.made_s:.1f}",
            Spread.of(load.usable_s for load in row.loads).text(1),
            Spread.of(load.heap_mib for load in row.loads).text(1),
        )
    head("the page of a made fleet, in Chromium", PAGE_AIM, record.conditions, console)
    console.print(table)
    table = new_table("teams", "requests", "imports s", "look s", "together s", "CPU s", "peak MiB")
    for look in record.result.status:
        table.add_row(
            str(look.teams),
            str(len(look.requests)),
            Spread.of(run.import_s for run in look.runs).text(1),
            Spread.of(run.look_s for run in look.runs).text(1),
            Spread.of(run.import_s + run.look_s for run in look.runs).text(1),
            Spread.of(run.cpu_s for run in look.runs).text(1),
            Spread.of(run.peak_mib for run in look.runs).text(0),
        )
    head("status --stack of a made fleet", STATUS_AIM, record.conditions, console)
    console.print(table)
    console.print("without what `pulumi stack export` takes, which reads the fleet's state")
