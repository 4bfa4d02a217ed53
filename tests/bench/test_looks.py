"""Unit: made fleets are as large as they are said to be, and their figures are told."""

import io
import json
from typing import Any
from urllib.request import urlopen

from rich.console import Console

from bench.fleet_model import names_of, report_of
from bench.fleet_objects import lists_of, served
from bench.looks import LooksResult, PageLoad, PageRow, StatusRow
from bench.record import Conditions, Record
from bench.render_looks import render_looks
from bench.status_probe import StatusRun


def test_a_made_fleet_has_each_pod_on_a_place_of_its_own_until_there_is_none() -> None:
    report = report_of(teams=200, nodes=500)
    assert (len(report.nodes), len(report.pods)) == (499, 1000)
    taken = [pod.node for pod in report.pods if pod.node]
    places = {node.name: node.gpu_shares for node in report.nodes}
    assert all(taken.count(name) <= places[name] for name in set(taken))
    assert sum(not pod.is_ready for pod in report.pods) == 2
    assert len({claim.team for claim in report.claims}) == 201


def test_names_are_the_same_however_many_there_are() -> None:
    assert names_of(200)[:50] == names_of(50)
    assert len(set(names_of(200))) == 200


def test_lists_come_by_the_page_and_are_counted() -> None:
    lists = lists_of(names_of(3))
    with served(lists) as api:
        server = api.kubeconfig["clusters"][0]["cluster"]["server"]
        found: list[dict[str, Any]] = []
        onwards = ""
        while True:
            asked = f"{server}/api/v1/pods?limit=4{onwards}"
            with urlopen(asked) as answer:  # noqa: S310 - our own server
                page = json.load(answer)
            found += page["items"]
            if "continue" not in page["metadata"]:
                break
            onwards = f"&continue={page['metadata']['continue']}"
    assert found == lists["/api/v1/pods"]
    assert api.requests == ["/api/v1/pods"] * 4


def test_the_figures_are_told() -> None:
    load = PageLoad(usable_s=0.9, heap_mib=4)
    row = PageRow(
        teams=200,
        nodes=499,
        pods=1000,
        made_s=0.4,
        page_bytes=1_940_000,
        elements=48_724,
        loads=(load,),
    )
    run = StatusRun(import_s=0.5, look_s=0.4, cpu_s=0.8, peak_mib=104)
    look = StatusRow(teams=200, requests=("/api/v1/pods",) * 8, runs=(run,))
    out = io.StringIO()
    record = Record(
        conditions=Conditions.current(), result=LooksResult(pages=(row,), status=(look,))
    )
    render_looks(record, Console(file=out, width=116))

    said = " ".join(out.getvalue().split())
    assert "200 499 1,000 1.94 48,724 0.4 0.9 (0.9-0.9) 4.0 (4.0-4.0)" in said
    assert "200 8 0.5 (0.5-0.5) 0.4 (0.4-0.4) 0.9 (0.9-0.9) 0.8 (0.8-0.8) 104 (104-104)" in said
