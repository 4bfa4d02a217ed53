"""Unit: when too many survive, and what is shown of them."""

import pytest

from tests.mutants.equivalents import Key
from tests.mutants.mutations import Change, Mutant
from tests.mutants.tally import below_the_aim, told
from tests.mutants.trial import Tried


def results(killed: int, survived: int) -> list[Tried]:
    """So many of each."""
    mutant = Mutant("daskfleet/platform/drift/render.py", (51, 4), "NumberReplacer", 0, "_table")
    key = Key("daskfleet/platform/drift/render.py", "_table", Change("a", "b"))
    return [
        *(Tried(mutant, killed=True, key=key, diff="") for _ in range(killed)),
        *(Tried(mutant, killed=False, key=key, diff="-a\n+b") for _ in range(survived)),
    ]


@pytest.mark.parametrize(
    ("killed", "survived", "is_below"),
    [(19, 1, False), (57, 3, False), (18, 2, True), (56, 4, True), (0, 0, False)],
)
def test_one_of_twenty_may_survive(killed: int, survived: int, *, is_below: bool) -> None:
    assert below_the_aim(results(killed, survived)) is is_below


def test_survivors_are_shown_with_file_line_and_diff() -> None:
    assert told(results(1, 1)).splitlines() == [
        "daskfleet/platform/drift/render.py:51 in _table",
        "-a",
        "+b",
        "",
        "    1 of    2  daskfleet/platform/drift",
        "    1 of    2  killed",
    ]
