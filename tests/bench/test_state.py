"""Unit: what a fleet asks of its state's bucket is shown for each command."""

import io

from rich.console import Console

from bench.process_tree import MIB, Usage
from bench.record import Conditions, Record
from bench.render_state import render_state
from bench.state import StatePhase, StateResult, StateRow


def test_saves_requests_and_megabytes_are_shown() -> None:
    phase = StatePhase(
        name="up",
        usage=Usage(wall_s=61.4, cpu_s=16, peak_memory_mib=500, foreign_cpu_s=2),
        requests={"write": 161, "copy": 159, "list": 1000},
        refused=12,
        saves=158,
        sent_bytes=22 * MIB,
        received_bytes=MIB,
    )
    row = StateRow(
        teams=2,
        latency_ms=50,
        writes_per_s=1,
        engine="gzip",
        state_bytes=MIB // 2,
        phases=(phase,),
    )
    out = io.StringIO()
    record = Record(conditions=Conditions.current(), result=StateResult(rows=(row,)))
    render_state(record, Console(file=out, width=116))

    said = " ".join(out.getvalue().split())
    assert "2 50 gzip, 1/s up 158 1,320 12 22.0 1.0 61" in said
    assert "2 teams, 50 ms, gzip: the state has 0.50 MB" in said
