"""Unit: the timeline, drawn."""

import re
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from daskfleet.platform.report.timeline import timeline_of
from rehearsal.timeline.model import NecessaryStep, Span, Timeline
from tests.daskfleet.platform.report.documents import sample


def span(name: str, start_s: float, end_s: float, **changes: object) -> Span:
    fields = {
        "urn": name,
        "name": name,
        "group": name.split(maxsplit=1)[0],
        "start_s": start_s,
        "end_s": end_s,
        "waits_for": (),
        "is_critical": False,
    }
    return Span.model_validate({**fields, **changes})


def timeline(*spans: Span, up_s: float = 10, necessary: tuple[NecessaryStep, ...] = ()) -> Timeline:
    return Timeline(latency="fast", spans=spans, up_s=up_s, necessary=necessary)


def lines(data: str) -> list[tuple[str, str, str]]:
    """Where each line of an SVG path begins, in which lane it is, and how long it is."""
    return re.findall(r"M([\d.e-]+) (\d+)\.5h([\d.e-]+)", data)


SPANS = st.lists(
    st.tuples(st.floats(0, 100), st.floats(0, 30)).map(lambda t: (t[0], t[0] + t[1])), max_size=25
)


@given(SPANS)
def test_bars_of_one_lane_never_overlap_and_all_are_within_the_picture(
    times: list[tuple[float, float]],
) -> None:
    spans = [span(f"g {i}", *each) for i, each in enumerate(times)]
    drawn = timeline_of(timeline(*spans))
    bars = {bar.name: bar for row in drawn.rows for bar in row.bars}
    assert len(bars) == len(spans)
    lanes = {
        bar.name: int(lane)
        for row in drawn.rows
        for bar, (_, lane, _) in zip(row.bars, lines(row.other_lines), strict=True)
    }
    for one, other in combinations(spans, 2):
        if one.start_s < other.end_s and other.start_s < one.end_s:
            assert lanes[one.name] != lanes[other.name]
    for bar in bars.values():
        assert bar.left_percent >= 0
        assert bar.left_percent + bar.width_percent <= 100.01
    assert all(lane < row.lanes for row in drawn.rows for lane in lanes.values())


def test_groups_come_in_the_order_in_which_they_began() -> None:
    drawn = timeline_of(timeline(span("late x", 5, 6), span("early x", 1, 2), span("late y", 0, 1)))
    assert [row.group for row in drawn.rows] == ["late", "early"]


def test_a_bar_tells_what_it_waited_for_and_whether_it_was_critical() -> None:
    drawn = timeline_of(
        timeline(
            span("cluster c", 0, 4, is_critical=True),
            span("pool p", 4, 9, waits_for=("cluster c", "unknown"), is_critical=True),
        )
    )
    cluster, pool = drawn.rows
    assert pool.waited_for == "cluster"
    (bar,) = pool.bars
    assert bar.causes == (cluster.bars[0].number,)
    assert (bar.waited_for, bar.start, bar.end, bar.took) == (
        "cluster c",
        "4.0 s",
        "9.0 s",
        "5.0 s",
    )
    assert lines(pool.critical_lines) == [("40", "0", "50")]
    assert pool.other_lines == ""


def test_what_a_cause_had_itself_waited_for_is_told_there_alone() -> None:
    drawn = timeline_of(
        timeline(
            span("network n", 0, 1),
            span("cluster c", 1, 2, waits_for=("network n",)),
            span("pool p", 2, 3, waits_for=("network n", "cluster c")),
            span("team t", 3, 3, waits_for=("network n", "pool p", "other o")),
            span("other o", 3, 3),
        )
    )
    waited_for = {bar.name: bar.waited_for for row in drawn.rows for bar in row.bars}
    assert waited_for["pool p"] == "cluster c"
    assert waited_for["team t"] == "pool p and other o"


def test_a_row_of_a_team_knows_its_team() -> None:
    team = span("Namespace a", 0, 1).model_copy(update={"group": "team a"})
    assert [row.team for row in timeline_of(timeline(team, span("network n", 1, 2))).rows] == [
        "a",
        "",
    ]


def test_of_many_that_ran_beside_it_the_first_are_named_and_the_rest_counted() -> None:
    drawn = timeline_of(timeline(*(span(f"g{number} x", 0, 1) for number in range(9))))
    assert drawn.rows[0].beside == "g1, g2, g3, g4, g5 and 3 more"


def test_what_ran_side_by_side_is_told_and_counted() -> None:
    drawn = timeline_of(timeline(span("a x", 0, 4), span("b x", 3, 6), span("c x", 6, 7)))
    assert [row.beside for row in drawn.rows] == ["b", "a", ""]
    assert drawn.at_once == 2


def test_with_documented_durations_it_says_what_was_necessary() -> None:
    step = NecessaryStep(name="cluster", duration_s=8, source="somebody")
    drawn = timeline_of(timeline(span("a x", 0, 10), up_s=10, necessary=(step,)))
    assert "1.25 times the 8.0 s that no order avoids" in drawn.verdict
    assert (drawn.necessary_total, drawn.necessary[0].source) == ("8.0 s", "somebody")


def test_without_latencies_no_ratio_is_claimed() -> None:
    assert "times" not in timeline_of(timeline(span("a x", 0, 10))).verdict


def test_an_up_without_any_work_can_be_drawn() -> None:
    drawn = timeline_of(timeline(up_s=0))
    assert (drawn.rows, drawn.at_once) == ((), 0)


def test_a_real_run_keeps_every_span_and_the_critical_path_is_as_long_as_up() -> None:
    kept = sample().timeline
    assert kept is not None
    drawn = timeline_of(kept)
    assert sum(len(row.bars) for row in drawn.rows) == len(kept.spans)
    assert [step.group for step in drawn.critical] == [each.group for each in kept.critical_path]
    assert 3 <= len(drawn.ticks) <= 8
