"""Parts of the tests; unit tier."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.project import PROJECT_DIR
from tests.tiers.shards import (
    FLEET_OF_THEIR_OWN,
    UNKNOWN_S,
    Shard,
    group_of,
    groups_of,
    longest_first,
    seconds_of_groups,
)

SECONDS = {"a": 300.0, "b": 200.0, "c": 120.0, "d": 110.0, "e": 40.0, "f": 30.0}


@given(
    groups=st.dictionaries(st.text(min_size=1), st.floats(min_value=0, max_value=1e4)),
    of=st.integers(min_value=1, max_value=5),
)
def test_every_group_is_in_one_shard(groups: dict[str, float], of: int) -> None:
    shards = [groups_of(Shard(number, of), groups) for number in range(1, of + 1)]
    assert sorted(group for shard in shards for group in shard) == sorted(groups)


def test_shards_are_as_even_as_whole_groups_allow() -> None:
    shards = [groups_of(Shard(number, 2), SECONDS) for number in (1, 2)]
    assert sorted(sum(SECONDS[group] for group in shard) for shard in shards) == [390, 410]


def test_the_longest_begins_and_names_decide_between_equals() -> None:
    took = {"f": 30.0, "a": 300.0, "c": 120.0, "y": 10.0, "x": 10.0}
    assert longest_first(took) == ["a", "c", "f", "x", "y"]


@pytest.mark.parametrize("room", FLEET_OF_THEIR_OWN)
def test_files_that_share_a_fleet_stay_together_and_count_together(room: str) -> None:
    assert (PROJECT_DIR / room / "conftest.py").exists()
    files = [f"{room}test_tls.py", f"{room}test_idle.py", "tests/test_docs.py"]
    assert [group_of(f"{file}::test_x[a::b]") for file in files] == [room, room, files[2]]
    assert seconds_of_groups({files[0]: 60.0, "tests/gone.py": 5.0}, files) == {
        room: 60.0 + UNKNOWN_S,
        files[2]: UNKNOWN_S,
    }


@pytest.mark.parametrize("text", ["", "1", "0/3", "4/3", "a/3", "1/3/5", "-1/3"])
def test_what_is_no_part_of_a_whole_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="1/3"):
        Shard.parse(text)


def test_a_shard_is_written_as_it_is_read() -> None:
    assert str(Shard.parse("2/3")) == "2/3"
