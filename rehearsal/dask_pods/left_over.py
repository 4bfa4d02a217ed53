"""Which processes run behind pods, for whoever has to end them after a crash."""

import contextlib
import os
import signal
import time
from collections.abc import Iterable
from pathlib import Path

import psutil
from pydantic import TypeAdapter

from daskfleet.files import write_private_file
from rehearsal.process import ProcessRecord

PROCESSES_FILE = "processes.json"
GRACE_S = 3.0
LOOK_AGAIN_S = 0.05

_RECORDS = TypeAdapter(tuple[ProcessRecord, ...])


def records_of(pids: Iterable[int]) -> tuple[ProcessRecord, ...]:
    """Record those that still run."""
    found = []
    for pid in pids:
        with contextlib.suppress(psutil.NoSuchProcess):
            found.append(ProcessRecord.of(pid))
    return tuple(found)


def write_processes(directory: Path, records: tuple[ProcessRecord, ...]) -> None:
    """Replace the file as a whole."""
    write_private_file(directory / PROCESSES_FILE, _RECORDS.dump_json(records))


def end_left_over(directory: Path) -> int:
    """End every process group whose leader the file names and that still runs; return how many."""
    file = directory / PROCESSES_FILE
    if not file.exists():
        return 0
    left = [record for record in _RECORDS.validate_json(file.read_bytes()) if record.is_alive]
    for record in left:
        _signal(record.pid, signal.SIGTERM)
    deadline = time.monotonic() + GRACE_S
    while time.monotonic() < deadline and any(record.is_alive for record in left):
        time.sleep(LOOK_AGAIN_S)
    for record in left:
        # Of a group whose leader has ended, too: it keeps its number while one of it runs.
        _signal(record.pid, signal.SIGKILL)
        record.end()
    file.unlink()
    return len(left)


def _signal(group: int, number: int) -> None:
    # macOS says "not permitted" of a group that has ended.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)
