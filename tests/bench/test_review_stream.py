"""Unit: the stream that a review is measured with is one that a review reads."""

from pathlib import Path

import pytest

from bench.review_stream import LINE_KB, Change, write_stream
from daskfleet.platform.review.read import read_preview

KB = 1000


@pytest.mark.parametrize(("change", "steps"), [("none", 0), ("image", 10), ("everything", 110)])
def test_every_resource_is_in_it_and_as_much_changes_as_is_said(
    tmp_path: Path, change: Change, steps: int
) -> None:
    file = tmp_path / "events.jsonl"
    write_stream(file, resources=110, change=change)
    with file.open() as lines:
        preview = read_preview(lines)

    assert preview.result == "succeeded"
    assert len(preview.steps) == steps
    assert preview.unchanged == 110 - steps
    assert all(step.diffs for step in preview.steps)


def test_its_lines_are_as_long_as_those_of_a_real_fleet(tmp_path: Path) -> None:
    file = tmp_path / "events.jsonl"
    write_stream(file, resources=110, change="none")
    lines = file.read_text().splitlines()

    assert file.stat().st_size / len(lines) == pytest.approx(LINE_KB * KB, rel=0.1)
