"""How long the tests take, as CONTRIBUTING.md tells it; unit tier."""

import pytest

from bench.record import Conditions, Record
from tests.tiers.durations import (
    NAME,
    TABLE,
    Durations,
    FileDuration,
    recorded_seconds,
    table,
    with_table,
)
from tests.tiers.engine_runs import is_engine_run

FILES = {
    "tests/a/test_x.py": FileDuration(tests=3, seconds=70.0, engine_runs=2),
    "tests/a/test_y.py": FileDuration(tests=1, seconds=20.5, engine_runs=0),
    "tests/b/test_z.py": FileDuration(tests=9, seconds=1.5, engine_runs=0),
    "tests/b/c/test_z.py": FileDuration(tests=1, seconds=100.0, engine_runs=7),
}
RUN = Durations(command="make test", workers=2, wall_s=101.0, files=FILES)


def test_contributing_shows_what_was_recorded() -> None:
    document = TABLE.read_text("utf-8")
    assert with_table(document, table(Record[Durations].read(NAME))) == document


def test_a_row_is_a_room_the_longest_first_and_short_ones_together() -> None:
    drawn = table(Record(conditions=Conditions.current(), result=RUN)).splitlines()
    assert drawn[0].startswith("`make test` took 1 min 41 s with 2 workers on ")
    assert drawn[2:] == [
        "| room | tests | engine runs | time |",
        "|---|---:|---:|---:|",
        "| `tests/b/c` | 1 | 7 | 1 min 40 s |",
        "| `tests/a` | 4 | 2 | 1 min 30 s |",
        "| 1 others | 9 | 0 | 2 s |",
        "| all, one after the other | 14 | 9 | 3 min 12 s |",
    ]


def test_a_table_takes_the_place_of_the_last_one_and_of_nothing_else() -> None:
    document = "# A\n<!-- durations -->\nold\n<!-- end of durations -->\nrest\n"
    drawn = with_table(document, "\\1 new\n")
    assert drawn == "# A\n<!-- durations -->\n\\1 new\n<!-- end of durations -->\nrest\n"


def test_what_was_recorded_orders_the_next_run() -> None:
    assert all(second >= 0 for second in recorded_seconds().values())


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (["/cache/pulumi", "up", "--yes"], True),
        (["pulumi", "--non-interactive", "preview"], True),
        (["pulumi", "stack", "init", "up"], False),
        (["kubectl", "up"], False),
        ([], False),
    ],
)
def test_an_engine_run_is_a_command_that_runs_the_program(
    command: list[str], *, expected: bool
) -> None:
    assert is_engine_run(command) is expected
