"""Whose turn it is; unit tier."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tiers.soak_turn import is_its_turn

CASES = [f"tests/faults/test_catalogue.py::test_leads_on[SIGKILL {n}]" for n in range(400)]
FILES = [f"tests/room/test_{name}.py" for name in "abcdefghijklmnopqrst"]


@given(first=st.integers(min_value=0, max_value=10**9), test=st.text(min_size=1))
def test_ten_commits_in_a_row_come_to_every_case_once(first: int, test: str) -> None:
    assert sum(is_its_turn(test, number=number) for number in range(first, first + 10)) == 1


@given(
    first=st.integers(min_value=0, max_value=10**9),
    test=st.text(min_size=1),
    every=st.integers(min_value=1, max_value=12),
    files=st.integers(min_value=1, max_value=12),
)
def test_every_case_has_its_turn_once_in_as_many_commits_as_its_marker_says(
    first: int, test: str, every: int, files: int
) -> None:
    start = first - first % files  # a round of the files
    commits = range(start, start + every * files)
    turns = [is_its_turn(test, number=number, every=every, files=files) for number in commits]
    assert sum(turns) == 1


@pytest.mark.parametrize("number", range(10))
def test_a_turn_is_about_a_tenth(number: int) -> None:
    assert 20 <= sum(is_its_turn(case, number=number) for case in CASES) <= 60


def test_cases_that_share_a_dear_stage_come_at_one_commit_of_ten() -> None:
    for file in FILES:
        cases = [f"{file}::test[{n}]" for n in range(60)]
        taken = {
            number % 10
            for number in range(200)
            if any(is_its_turn(case, number=number, files=10) for case in cases)
        }
        assert len(taken) == 1


@pytest.mark.parametrize("turn", [{"every": 0}, {"files": 0}, {"every": -10}])
def test_a_turn_that_never_comes_is_refused(turn: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="give 1 or more"):
        is_its_turn("tests/test_a.py::test", number=1, **turn)
