"""A container's log as container runtimes write it (CRI): time, stream, F or P, text."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

LONGEST_LINE = 16 * 1024
"""containerd's own; the pieces of a longer line are marked P, the last one F."""


def cri_line(text: bytes, *, stream: str, at: datetime, is_whole: bool = True) -> bytes:
    """Give one line of a log; kubectl and kwok read no other form."""
    time = at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f000Z")
    return f"{time} {stream} {'F' if is_whole else 'P'} ".encode() + text + b"\n"


class LogFile:
    """The log of one run of a container."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.touch(mode=0o600)
        self._file: BinaryIO = path.open("ab")

    async def copy(self, output: asyncio.StreamReader, *, stream: str) -> None:
        """Write what a process says until it says no more."""
        line = b""
        while chunk := await output.read(LONGEST_LINE):
            *whole, line = (line + chunk).split(b"\n")
            for text in whole:
                self._write(text, stream)
            while len(line) >= LONGEST_LINE:
                self._write(line[:LONGEST_LINE], stream, is_whole=False)
                line = line[LONGEST_LINE:]
            self._file.flush()
        if line:
            self._write(line, stream)

    def _write(self, text: bytes, stream: str, *, is_whole: bool = True) -> None:
        self._file.write(cri_line(text, stream=stream, at=datetime.now(UTC), is_whole=is_whole))

    def close(self) -> None:
        """Flush and close."""
        self._file.close()


def keep_as_previous(log: Path, previous: Path) -> None:
    """Make room for the next run's log; of those that ended only the last is kept."""
    if log.exists():
        log.replace(previous)
