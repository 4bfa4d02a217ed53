"""Unit: files are whole or not written at all, and those with secrets are their user's alone."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from daskfleet.files import (
    empty_private_file,
    make_private_directory,
    write_file,
    write_private_file,
)

WRITERS = [write_file, write_private_file]
Writer = Callable[[Path, str], object]


@pytest.fixture(autouse=True)
def careless() -> Iterator[None]:
    """A umask that takes nothing away."""
    before = os.umask(0)
    yield
    os.umask(before)


def mode_of(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_the_umask_decides_of_what_has_no_secrets(tmp_path: Path) -> None:
    write_file(tmp_path / "page", "all")
    os.umask(0o027)
    write_file(tmp_path / "other", "some")
    assert (mode_of(tmp_path / "page"), mode_of(tmp_path / "other")) == (0o666, 0o640)


def test_a_private_file_is_private_whatever_was_there(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("open to all")
    inode = write_private_file(tmp_path / "state", "secret")
    assert mode_of(tmp_path / "state") == 0o600
    assert (tmp_path / "state").stat().st_ino == inode
    assert (tmp_path / "state").read_text() == "secret"


def test_a_file_for_another_program_is_private_and_empty(tmp_path: Path) -> None:
    (tmp_path / "events").write_text("of the last time")
    empty_private_file(tmp_path / "events")
    assert mode_of(tmp_path / "events") == 0o600
    assert (tmp_path / "events").read_text() == ""
    os.mkfifo(tmp_path / "pipe")
    for no_file in (tmp_path, tmp_path / "pipe"):
        with pytest.raises(OSError, match=str(no_file)):
            empty_private_file(no_file)


def test_directories_are_private_with_those_above_that_were_missing(tmp_path: Path) -> None:
    os.umask(0o022)
    (tmp_path / "there").mkdir()
    make_private_directory(tmp_path / "there" / "a" / "b")
    made = [tmp_path / "there" / "a" / "b", tmp_path / "there" / "a"]
    assert [mode_of(each) for each in made] == [0o700, 0o700]
    assert mode_of(tmp_path / "there") == 0o755
    make_private_directory(tmp_path / "there")
    assert mode_of(tmp_path / "there") == 0o700


@pytest.mark.parametrize("write", WRITERS)
def test_what_cannot_be_written_leaves_what_was_there_and_nothing_beside(
    write: Writer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "page.html"
    page.write_text("the old page")

    def full(_: Path, __: Path) -> Path:
        raise OSError(28, "No space left on device", "something beside it")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match=r"No space left on device: '.*/page.html'"):
        write(page, "the new page")
    assert page.read_text() == "the old page"
    assert list(tmp_path.iterdir()) == [page]


@pytest.mark.parametrize("write", WRITERS)
def test_a_link_stays_one_and_a_device_is_written_to(write: Writer, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write(tmp_path / "link", "text")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "text"

    write(Path("/dev/null"), "text")
    assert Path("/dev/null").is_char_device()
    with pytest.raises(OSError, match="No space left on device"):
        write(Path("/dev/full"), "text")
