"""Every picture has a maker, and a browser's are pictures of what there is now; unit tier."""

import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.command_lines import of_shell, refusal
from tests.pictures.drawn import DRAWN
from tests.pictures.recording import Line, as_svg, recorded
from tests.pictures.rehearsed import (
    AFTER,
    BEFORE,
    FIRST_RESULT,
    PROGRAM,
    REPORT,
    SESSION,
    SHELL,
)
from tests.pictures.seal import mark_in, sealed, source_mark
from tests.project import PROJECT_DIR

SUFFIXES = {".png", ".svg", ".gif", ".jpg", ".jpeg", ".webp", ".cast"}
REHEARSED = {REPORT, FIRST_RESULT}
BY_HAND = {"docs/architecture.svg": "A drawing of what the components make; no program knows it."}
SMALLEST_PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b55"
    "0000000a49444154789c636000000002000148afa4710000000049454e44ae426082"
)


def pictures() -> set[str]:
    """Every picture that git knows, or would."""
    listed = subprocess.run(
        [shutil.which("git") or "git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=PROJECT_DIR,
        capture_output=True,
        text=True,
        check=True,
    )
    return {name for name in listed.stdout.splitlines() if Path(name).suffix in SUFFIXES}


def test_every_picture_has_a_maker_or_a_reason_for_having_none() -> None:
    assert pictures() == {*DRAWN, *REHEARSED, *BY_HAND}


@pytest.mark.parametrize("file", DRAWN)
def test_a_picture_is_one_of_what_there_is_now(file: str) -> None:
    kept = mark_in((PROJECT_DIR / file).read_bytes())
    assert kept == source_mark(DRAWN[file].source()), "`make samples` draws it anew."


def test_what_takes_the_pictures_of_a_rehearsal_can_be_typed() -> None:
    lines = [line for text in (*BEFORE, SHELL, *SESSION, AFTER) for line in of_shell(text)]
    assert len(lines) == 5
    assert {line: why for line in lines if (why := refusal(line))} == {}


def test_the_recording_is_that_of_the_session_and_ends_with_a_result() -> None:
    svg = ET.parse(PROJECT_DIR / FIRST_RESULT)  # noqa: S314 - a file of ours
    texts = [(each.text or "").replace("\N{NO-BREAK SPACE}", " ") for each in svg.iter()]
    shown = [each.rstrip() for each in texts if each.strip()]
    for command in SESSION:
        assert f"$ {command}" in shown
    assert set(filter(None, PROGRAM.splitlines())) <= set(shown)
    assert shown[-1] == "42"


def test_a_mark_stays_in_the_picture_and_changes_with_what_is_drawn() -> None:
    assert mark_in(SMALLEST_PNG) is None
    picture = sealed(SMALLEST_PNG, "a page")
    assert mark_in(picture) == source_mark("a page") != source_mark("another page")
    assert picture.endswith(SMALLEST_PNG[-12:])


def test_lines_come_when_they_came(tmp_path: Path) -> None:
    lines = [*recorded(["echo one; echo two"], directory=tmp_path, environment={})]
    assert [line.text for line in lines] == ["$ echo one; echo two", "one", "two"]
    assert lines[0].at_s == 0 <= lines[1].at_s <= lines[2].at_s


def test_a_command_that_fails_makes_no_picture(tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        [*recorded(["exit 3"], directory=tmp_path, environment={})]


def test_a_picture_that_plays_loads_nothing_and_may_stand_still() -> None:
    svg = as_svg([Line(at_s=0, text="$ ls"), Line(at_s=2.5, text="a")], title="Files")
    assert svg.count("animation-delay: 2.50s") == svg.count("recording-line-1)") > 0
    assert "prefers-reduced-motion" in svg
    assert "url(http" not in svg
    assert "@font-face" not in svg
