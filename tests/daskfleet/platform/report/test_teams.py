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


@given(NAMES)
def test_letters_have_the_order_of_the_names(names: list[str]) -> None:
    letters = [mark.letters for mark in team_marks(names).values()]
    assert letters == sorted(letters)


def test_letters_are_those_with_which_names_part() -> None:
    names = ["climate", "climate-2", "cosmology", "fraud", "fraud-eu", "fraud-us", "team-017"]
    marks = team_marks([*names, "team-018"])
    assert [mark.letters for mark in marks.values()] == [
        "Cl",
        "Cl-2",
        "Co",
        "F",
        "F-e",
        "F-u",
        "T7",
        "T8",
    ]


def test_another_team_changes_the_letters_of_none_that_begin_otherwise() -> None:
    before = team_marks(["climate", "genomics"])
    after = team_marks(["climate", "cosmology", "genomics"])
    assert after["genomics"].letters == before["genomics"].letters == "G"


def test_forty_teams_differ_in_colour_or_pattern() -> None:
    marks = team_marks(f"team-{number}" for number in range(COLOURS * PATTERNS))
    assert len({(mark.colour, mark.pattern) for mark in marks.values()}) == COLOURS * PATTERNS
