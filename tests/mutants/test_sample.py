"""Unit: which mutants are tried."""

from collections import Counter

from tests.mutants.mutations import Mutant
from tests.mutants.rooms import room_of
from tests.mutants.sample import in_random_order

DRIFT, REDACTION = "daskfleet/platform/drift", "daskfleet/access/redaction"
MUTANTS = [
    Mutant(f"{room}/{file}.py", (line, 0), operator, 0, None)
    for room, files in ((DRIFT, 3), (REDACTION, 1))
    for file in range(files)
    for line in range(1, 6)
    for operator in ("AddNot", "NumberReplacer")
]


def test_a_commit_always_draws_the_same_and_another_one_others() -> None:
    first = list(in_random_order(MUTANTS, "4f2a"))

    assert list(in_random_order(reversed(MUTANTS), "4f2a")) == first
    assert list(in_random_order(MUTANTS, "77b0")) != first


def test_no_two_are_at_one_place() -> None:
    drawn = Counter((each.path, each.place) for each in in_random_order(MUTANTS, "a"))

    assert len(drawn) == 20
    assert set(drawn.values()) == {1}


def test_rooms_take_turns_while_they_last() -> None:
    rooms = [room_of(each.path) for each in in_random_order(MUTANTS, "a")]

    assert rooms == [REDACTION, DRIFT] * 5 + [DRIFT] * 10
