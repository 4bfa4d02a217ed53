"""Unit: numbers and texts as they are read."""

import pytest

from daskfleet.platform.report.words import counted, dollars, listed, seconds, with_code


@pytest.mark.parametrize(
    ("amount_s", "told"),
    [
        (0, "0.0 s"),
        (0.04, "< 0.1 s"),
        (9.94, "9.9 s"),
        (12.4, "12 s"),
        (59.6, "1 min"),
        (125, "2 min 5 s"),
    ],
)
def test_durations_are_as_exact_as_they_are_useful(amount_s: float, told: str) -> None:
    assert seconds(amount_s) == told


def test_one_thing_is_no_plural() -> None:
    assert [counted(1, "node"), counted(2, "node")] == ["1 node", "2 nodes"]


def test_names_are_joined_as_in_a_sentence() -> None:
    assert [listed(()), listed(("a",)), listed(("a", "b", "c"))] == ["", "a", "a, b and c"]


def test_amounts_have_thousands() -> None:
    assert [dollars(16774.4), dollars(22.984, cents=True)] == ["16,774", "22.98"]


def test_only_a_pair_of_backticks_makes_code_and_all_else_is_escaped() -> None:
    assert with_code("run `a<b` & see") == "run <code>a&lt;b</code> &amp; see"
    assert with_code("a ` <b>") == "a ` &lt;b&gt;"
