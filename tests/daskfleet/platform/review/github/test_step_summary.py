"""Unit: the summary of a step is never larger than GitHub shows, and says where it was cut."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daskfleet.platform.review.github.step_summary import CUT, PATH, fitting, write_summary

MOST = 1_048_576
"""docs.github.com, "Step isolation and limits" of job summaries: 1 MiB per step."""


@pytest.mark.parametrize("before", [0, 1000])
def test_what_earlier_commands_of_the_step_have_written_counts(tmp_path: Path, before: int) -> None:
    file = tmp_path / "summary"
    file.write_text("x" * before)
    line = "y" * 99

    assert write_summary("\n".join([line] * 20_000), {PATH: str(file)})

    written = file.read_text()
    assert MOST - len(CUT) - 100 <= len(written) <= MOST
    assert written.endswith(f"{line}{CUT}")


def test_a_text_that_fills_it_is_not_cut(tmp_path: Path) -> None:
    file = tmp_path / "summary"

    write_summary("y" * (MOST - 1), {PATH: str(file)})

    assert file.read_text() == "y" * (MOST - 1) + "\n"


def test_where_there_is_no_summary_nothing_is_written() -> None:
    assert not write_summary("text", {})


@given(text=st.text(max_size=400), room=st.integers(0, 400))
def test_what_fits_is_whole_lines_and_never_too_much(text: str, room: int) -> None:
    kept = fitting(text, room)

    assert len(kept.encode()) <= room
    if kept and kept != f"{text}\n":
        assert kept.endswith(CUT)
        assert f"{text}\n".startswith(f"{kept.removesuffix(CUT)}\n")
