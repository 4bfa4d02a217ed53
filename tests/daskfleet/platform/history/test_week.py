"""Unit: the section of a page that draws the history."""

from datetime import timedelta

from daskfleet.platform.history.model import NodeMove
from daskfleet.platform.history.seen import Seen
from daskfleet.platform.history.week import MOST_ROWS, week_html, week_of
from tests.daskfleet.platform.history.records import OTHER, at, history, record, team
from tests.daskfleet.platform.review.rendered import Seen as SeenHtml

NODES = Seen(
    clusters=(),
    nodes=(NodeMove(node="n1", pool="a100", what="came", at=at(60 * 24 * 2)),),
)
ROLLED = history(
    record(0, team("fraud"), team("risk")),
    record(60 * 24, team("fraud", image=OTHER), team("risk"), result="failed"),
    seen=NODES,
)


def html(text: str) -> SeenHtml:
    reader = SeenHtml()
    reader.feed(text)
    reader.close()
    return reader


def test_each_thing_stands_at_its_time() -> None:
    week = week_of(ROLLED)
    ups, fraud, risk, nodes = week.rows
    assert [row.label for row in week.rows] == ["updates", "team fraud", "team risk", "nodes"]
    days = [round(7 * mark.left_percent / 100, 1) for mark in ups.marks]
    assert days == [2.0, 1.0]
    assert [mark.sign for mark in ups.marks] == ["✕", "▲"]
    assert [mark.sign for mark in fraud.marks] == ["◆", "+"]
    assert [mark.sign for mark in risk.marks] == ["+"]
    assert round(7 * nodes.marks[0].left_percent / 100, 1) == 3.0
    assert len(week.days) == 7


def test_every_mark_says_in_words_what_its_sign_means_and_where_more_is() -> None:
    week = week_of(ROLLED)
    for mark in (mark for row in week.rows for mark in row.marks):
        assert mark.told
        assert not mark.anchor or mark.anchor in {row.anchor for row in week.table}
    assert any(OTHER in line.text for line in week.table[0].lines)
    assert "without a scheduler" in week.table[0].lines[0].text


def test_the_section_is_whole_html_in_which_nothing_is_a_value() -> None:
    hostile = ROLLED.model_copy(
        update={
            "updates": tuple(
                each.model_copy(update={"message": "</td><script>x</script>"})
                for each in ROLLED.updates
            )
        }
    )
    text = str(week_html(hostile))
    reader = html(text)
    assert reader.unclosed == []
    assert "script" not in reader.elements
    assert "&lt;script&gt;" in text
    assert "Not known: Nodes that went" in text


def test_what_is_one_teams_says_whose_it_is() -> None:
    text = str(week_html(ROLLED))
    assert [row.team for row in week_of(ROLLED).rows] == ["", "fraud", "risk", ""]
    assert text.count('data-team="fraud"') == 3
    assert text.count('data-team="risk"') == 2


def test_a_time_without_updates_says_so() -> None:
    assert "No update ran." in str(week_html(history()))


def test_of_two_hundred_teams_the_table_has_all_and_the_picture_says_how_many_more() -> None:
    teams = [team(f"team-{number:03}") for number in range(200)]
    week = week_of(history(record(0, *teams)))
    assert len(week.rows) == MOST_ROWS + 1
    assert week.left_out == 200 - MOST_ROWS
    assert sum(line.team.startswith("team-") for line in week.table[0].lines) == 200


def test_a_moment_is_a_history_too() -> None:
    at_once = ROLLED.model_copy(update={"since": ROLLED.read_at + timedelta(0)})
    assert week_of(at_once).rows[0].marks[0].left_percent == 0
