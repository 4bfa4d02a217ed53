"""Unit: what a killed supervisor has left is ended, with all that it started, and nothing else."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from rehearsal.dask_pods import left_over
from rehearsal.dask_pods.left_over import end_left_over, records_of, write_processes
from rehearsal.process import ProcessRecord

STUBBORN = """
import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
print(child.pid, flush=True)
time.sleep(60)
"""


@pytest.fixture
def stubborn(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A leader that does not listen to SIGTERM, and its child."""
    monkeypatch.setattr(left_over, "GRACE_S", 0.2)
    with subprocess.Popen(
        [sys.executable, "-c", STUBBORN], stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None
        yield process, int(process.stdout.readline())
        process.kill()


def test_a_process_and_what_it_started_are_ended(
    tmp_path: Path, stubborn: tuple[subprocess.Popen[str], int]
) -> None:
    leader, child = stubborn
    kept = psutil.Process(child)
    write_processes(tmp_path, records_of([leader.pid]))
    assert end_left_over(tmp_path) == 1
    assert leader.wait(timeout=5) < 0
    kept.wait(timeout=5)
    assert end_left_over(tmp_path) == 0


def test_another_process_under_an_old_number_is_left_alone(
    tmp_path: Path, stubborn: tuple[subprocess.Popen[str], int]
) -> None:
    leader, _ = stubborn
    write_processes(tmp_path, (ProcessRecord(pid=leader.pid, started_at_s=1.0),))
    assert end_left_over(tmp_path) == 0
    assert leader.poll() is None


def test_a_process_that_has_ended_meanwhile_is_not_recorded() -> None:
    with subprocess.Popen(["/bin/sh", "-c", "exit 0"]) as process:
        process.wait()
    assert records_of([process.pid]) == ()
