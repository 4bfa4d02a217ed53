"""Unit: logs in the form that kwok and kubectl read."""

import asyncio
import re
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from rehearsal.dask_pods.log_file import LONGEST_LINE, LogFile, cri_line, keep_as_previous

LINE = re.compile(
    rb"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z) (stdout|stderr) ([FP]) (.*)\n", re.DOTALL
)


async def copied(path: Path, *chunks: bytes, stream: str = "stdout") -> list[tuple[bytes, ...]]:
    output = asyncio.StreamReader()
    log = LogFile(path)
    copying = asyncio.create_task(log.copy(output, stream=stream))
    for chunk in chunks:
        output.feed_data(chunk)
        await asyncio.sleep(0)
    output.feed_eof()
    await copying
    log.close()
    return written(path)


def written(path: Path) -> list[tuple[bytes, ...]]:
    lines = [LINE.fullmatch(line) for line in path.read_bytes().splitlines(keepends=True)]
    return [line.groups()[1:] if line else () for line in lines]


def test_a_line_says_when_where_from_and_what() -> None:
    moment = datetime(2026, 11, 21, 22, 0, 0, 1500, tzinfo=timezone(timedelta(hours=1)))
    line = cri_line(b"text", stream="stdout", at=moment)
    assert line == b"2026-11-21T21:00:00.001500000Z stdout F text\n"
    assert b" stderr P " in cri_line(b"", stream="stderr", at=datetime.now(UTC), is_whole=False)


@pytest.mark.asyncio
async def test_lines_are_told_apart_however_they_arrive(tmp_path: Path) -> None:
    lines = await copied(tmp_path / "log", b"one\ntw", b"o\n\nthr", b"ee", stream="stderr")
    assert lines == [(b"stderr", b"F", word) for word in (b"one", b"two", b"", b"three")]


@pytest.mark.asyncio
async def test_a_line_that_is_too_long_comes_in_pieces(tmp_path: Path) -> None:
    text = b"x" * (2 * LONGEST_LINE + 3)
    lines = await copied(tmp_path / "log", text, b"\nnext\n")
    assert [mark for _, mark, _ in lines] == [b"P", b"P", b"F", b"F"]
    assert b"".join(piece for *_, piece in lines[:3]) == text


@pytest.mark.asyncio
async def test_the_log_is_its_owners_alone_and_the_last_one_is_kept(tmp_path: Path) -> None:
    log, previous = tmp_path / "logs" / "main.log", tmp_path / "logs" / "main.previous.log"
    keep_as_previous(log, previous)
    for word in (b"first", b"second", b"third"):
        keep_as_previous(log, previous)
        await copied(log, word + b"\n")
    assert b"third" in log.read_bytes()
    assert b"second" in previous.read_bytes()
    assert b"second" not in log.read_bytes()
    assert log.stat().st_mode & 0o777 == 0o600
