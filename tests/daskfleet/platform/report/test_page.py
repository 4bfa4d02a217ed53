"""Unit: the page as text: what is in it, and what must never be."""

import re
from collections.abc import Callable

import pytest

from bench.fleet_model import report_of
from daskfleet.platform.report.page import page
from daskfleet.platform.report.words import with_code
from rehearsal.report.model import Report
from tests.daskfleet.platform.report.documents import (
    HOSTILE,
    broken,
    changed,
    fleet_report,
    hostile,
    idle,
    sample,
)
from tests.daskfleet.platform.review.rendered import Seen

REPORTS: dict[str, Callable[[], Report]] = {
    "sample": sample,
    "broken": broken,
    "hostile": hostile,
    "empty": lambda: fleet_report(nodes=()),
    "idle": idle,
    "without a timeline": lambda: changed(sample(), timeline=None),
}
EVERY_REPORT = pytest.mark.parametrize("report", [make() for make in REPORTS.values()], ids=REPORTS)


def seen(report: Report) -> Seen:
    reader = Seen()
    reader.feed(page(report).removeprefix("<!doctype html>"))
    reader.close()
    return reader


@EVERY_REPORT
def test_every_element_is_closed_in_its_turn(report: Report) -> None:
    assert seen(report).unclosed == []


@EVERY_REPORT
def test_nothing_is_loaded_from_anywhere(report: Report) -> None:
    html = page(report)
    assert not {"img", "link", "iframe", "object", "base"} & set(seen(report).elements)
    assert set(re.findall(r'(?:href|src|action)="([^"]?)', html)) <= {"#"}
    assert not re.search(r"@import|url\(", html)


@EVERY_REPORT
def test_the_browser_is_told_to_load_nothing_either(report: Report) -> None:
    assert "default-src 'none'" in page(report)


def test_names_cannot_become_html() -> None:
    html = page(hostile())
    assert HOSTILE not in html
    reader = seen(hostile())
    assert reader.elements.count("script") == 1
    assert "img" not in reader.elements


@pytest.mark.parametrize("report", [sample(), broken()], ids=["sample", "broken"])
def test_every_claim_and_its_evidence_is_on_the_page(report: Report) -> None:
    html = page(report)
    for claim in report.claims:
        assert with_code(claim.text) in html
        assert with_code(claim.evidence) in html
        assert with_code(claim.next_step) in html


def test_every_pod_node_pool_and_part_of_the_stage_is_on_the_page() -> None:
    report = sample()
    text = "".join(seen(report).everything)
    names = [pod.name for pod in report.pods] + [row.name for row in report.pools]
    names += [part.part for part in report.stage]
    assert [name for name in names if name not in text] == []
    html = page(report)
    assert [node.name for node in report.nodes if node.name not in html] == []


def test_a_pod_without_a_place_says_why() -> None:
    assert "Insufficient nvidia.com/gpu" in "".join(seen(broken()).everything)


def test_an_up_without_work_a_pod_on_two_gpus_and_a_node_without_driver_are_told() -> None:
    text = "".join(seen(idle()).everything)
    assert "No resource was worked on." in text
    assert text.count("worker, the same") == 1
    assert text.count("no driver yet") == 2


def test_the_title_is_the_verdict() -> None:
    assert "<title>rehearsal: 1 of 12 claims does not hold; 1 more" in page(broken())


def test_when_and_of_which_commit_is_told_where_it_is_known() -> None:
    report = sample()
    assert report.occasion is not None
    assert report.occasion.commit in page(report)
    assert "As of" in page(report)
    assert "As of" not in page(changed(report, occasion=None))


LARGEST_BYTES = 2_000_000


def test_a_page_of_200_teams_on_500_nodes_can_be_mailed_and_tells_every_pod() -> None:
    report = report_of(teams=200, nodes=500)
    html = page(report)
    assert len(html.encode()) < LARGEST_BYTES
    assert [pod.name for pod in report.pods if f"<code>{pod.name}</code>" not in html] == []
    assert [node.name for node in report.nodes if node.name not in html] == []
    assert report.timeline is not None
    assert [span.name for span in report.timeline.spans if f"<b>{span.name}</b>" not in html] == []


def test_what_is_a_teams_own_says_whose_it_is() -> None:
    html = page(broken())
    for part in ('<tr id="pod-1"', '<details class="row"', '<details class="group"'):
        assert re.search(rf'{part}[^>]* data-team="climate"', html)
    assert '<a class="mark c0 p0" href="#team=climate" data-sign="C">climate</a>' in html
