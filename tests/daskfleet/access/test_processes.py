"""Unit: a program and its reader, with shells."""

import os
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest

import daskfleet.access.processes
from daskfleet.access.processes import Process, completed, started


def is_gone(process: Process) -> bool:
    """Whether nothing of its process group is left but what its parent has not waited for."""
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.01)
    return False


def leave_once_there_is(file: Path) -> None:
    while not file.exists():
        time.sleep(0.01)
    raise ZeroDivisionError


def test_a_program_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    with (
        pytest.raises(subprocess.TimeoutExpired),
        started(("sleep", "600"), directory=tmp_path) as process,
    ):
        completed(process, longest_s=0.1)
    assert is_gone(process)


def test_what_does_not_hear_an_interrupt_is_killed_after_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(daskfleet.access.processes, "PATIENCE_S", 0.2)
    deaf = ("sh", "-c", "trap '' INT; touch deaf; sleep 600; true")
    with pytest.raises(ZeroDivisionError), started(deaf, directory=tmp_path) as process:
        leave_once_there_is(tmp_path / "deaf")
    assert process.returncode == -signal.SIGKILL
    assert is_gone(process)


def test_a_thread_may_run_a_program_although_it_hears_no_signals(tmp_path: Path) -> None:
    heard: list[str] = []

    def run() -> None:
        with started(("echo", "hello"), directory=tmp_path) as process:
            heard.append(completed(process).output)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert heard == ["hello\n"]
