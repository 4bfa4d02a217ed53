"""Unit: what one team more takes is told between the sizes, and grows where it does."""

import io

import pytest
from rich.console import Console

from bench.dask_clusters import OperatorResult, OperatorRow
from bench.process_tree import Usage
from bench.record import Conditions, Record
from bench.render_scale import render_operator, render_scale
from bench.scale import ScalePhase, ScaleResult, ScaleRow


def row(teams: int, cpu_s: float) -> ScaleRow:
    usage = Usage(wall_s=cpu_s, cpu_s=cpu_s, peak_memory_mib=500, foreign_cpu_s=2)
    phase = ScalePhase(name="up", usage=usage, stage_cpu_s=1)
    return ScaleRow(teams=teams, phases=(phase,), stage_mib={"etcd": 100, "operator": 150})


def said(width: int = 116) -> tuple[Console, io.StringIO]:
    out = io.StringIO()
    return Console(file=out, width=width), out


def test_what_grows_faster_than_the_fleet_shows() -> None:
    rows = (row(5, 10), row(10, 15), row(20, 45))
    console, out = said()
    record = Record(conditions=Conditions.current(), result=ScaleResult(stage=(), rows=rows))
    render_scale(record, console)

    assert "one more team, up: 5 to 10 1.00, 10 to 20 3.00" in out.getvalue()
    assert "20 teams, MiB of the stage: 250" in out.getvalue()


@pytest.mark.parametrize(("operators", "aim"), [(1, "1,000 clusters under one"), (1000, "each")])
def test_what_operators_take_is_told_for_one_cluster_each(operators: int, aim: str) -> None:
    row = OperatorRow(
        clusters=1000,
        operators=operators,
        placed_s=450,
        new_clusters=900,
        operator_cpu_s=90,
        operator_mib=300,
        at_rest_percent=12,
        one_more_s=2.5,
    )
    console, out = said()
    record = Record(conditions=Conditions.current(), result=OperatorResult(rows=(row,)))
    render_operator(record, console)

    shown = " ".join(out.getvalue().split())
    assert f"1,000 {operators} 900 450 0.50 0.10 300 12 % 2.5" in shown
    assert aim in shown
