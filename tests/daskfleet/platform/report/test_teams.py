"""Unit: teams are told apart without colour."""

from hypothesis import given
from hypothesis import strategies as st

from daskfleet.platform.report.teams import COLOURS, PATTERNS, team_marks

NAMES = st.lists(st.from_regex(r"[a-z][a-z0-9-]{0,20}", fullmatch=True), max_size=60)


@given(NAMES)
def test_no_two_teams_have_the_same_letters(names: list[str]) -> None:
    marks = team_marks(names)
    assert set(marks) == set(names)
    assert len({mark.letters for mark in marks.values()}) == len(marks)


def test_letters_are_of_the_name() -> None:
    marks = team_marks(["climate", "cosmology", "genomics"])
    assert [mark.letters for mark in marks.values()] == ["C", "Co", "G"]


def test_forty_teams_differ_in_colour_or_pattern() -> None:
    marks = team_marks(f"team-{number}" for number in range(COLOURS * PATTERNS))
    assert len({(mark.colour, mark.pattern) for mark in marks.values()}) == COLOURS * PATTERNS
