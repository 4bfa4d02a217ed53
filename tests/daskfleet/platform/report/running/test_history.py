"""Unit: the history on the page is made of what the page has read anyway."""

from typing import Any

from daskfleet.platform.report.running.history import Records, told_history
from daskfleet.platform.report.running.in_cluster import InCluster
from daskfleet.platform.report.running.model import SourceName
from tests.daskfleet.platform.history.records import OTHER, SINCE, UNTIL, record, team
from tests.daskfleet.platform.report.running.fleets import node, observed, reading

RECORDS = Records(
    updates=(record(60 * 24, team("fraud", image=OTHER)), record(0, team("fraud"))),
    is_all=True,
    since=SINCE,
    read_at=UNTIL,
)
WENT = {
    "reason": "RemovingNode",
    "involvedObject": {"kind": "Node", "name": "n0"},
    "lastTimestamp": UNTIL.isoformat(),
}


def found(**changes: Any) -> InCluster:
    came = node("n1")
    came["metadata"]["creationTimestamp"] = UNTIL.isoformat()
    whole: dict[str, Any] = {
        "teams": reading(SourceName.PODS, {"fraud": observed("fraud", clusters=())}),
        "nodes": reading(SourceName.NODES, (came,)),
        "gone": (WENT,),
        **changes,
    }
    return InCluster(**whole)


def test_nodes_that_the_page_has_and_those_that_went_are_in_it() -> None:
    told = told_history(reading(SourceName.HISTORY, RECORDS), "prod", found())
    assert told.value is not None
    moves = [*told.value.nodes, *(move for each in told.value.updates for move in each.nodes)]
    assert {(move.node, move.what) for move in moves} == {("n1", "came"), ("n0", "went")}
    assert told.source.lacks == ()


def test_a_cluster_that_cannot_be_asked_hides_no_update() -> None:
    silent = found(
        teams=reading(SourceName.PODS, None, why_not="no way in"),
        nodes=reading(SourceName.NODES, None, why_not="no way in"),
    )
    told = told_history(reading(SourceName.HISTORY, RECORDS), "prod", silent)
    assert told.value is not None
    assert len(told.value.updates) == 2
    assert told.source.lacks == ("The cluster was not asked: no way in",)


def test_each_part_that_was_not_read_is_said() -> None:
    part = found(
        nodes=reading(SourceName.NODES, None, why_not="forbidden"), gone_unread=("events: no",)
    )
    told = told_history(reading(SourceName.HISTORY, RECORDS), "prod", part)
    assert told.source.lacks == ("nodes were not read: forbidden", "events: no")


def test_without_pulumis_records_there_is_none() -> None:
    told = told_history(reading(SourceName.HISTORY, None, why_not="locked"), "prod", found())
    assert (told.value, told.source.why_not) == (None, "locked")
