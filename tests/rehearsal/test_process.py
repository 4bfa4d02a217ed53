"""Unit: only the very process that was recorded is ever ended."""

import subprocess
import sys
from collections.abc import Iterator

import pytest

from rehearsal.process import ProcessRecord

STUBBORN = (
    "import signal, time; signal.signal(15, signal.SIG_IGN); print(flush=True); time.sleep(60)"
)


@pytest.fixture
def process() -> Iterator["subprocess.Popen[bytes]"]:
    """A process that ignores SIGTERM."""
    running = subprocess.Popen([sys.executable, "-c", STUBBORN], stdout=subprocess.PIPE)
    assert running.stdout is not None
    running.stdout.readline()
    yield running
    running.kill()
    running.wait()
    running.stdout.close()


def test_a_recorded_process_is_ended_even_if_it_ignores_the_first_request(
    process: "subprocess.Popen[bytes]",
) -> None:
    record = ProcessRecord.of(process.pid)
    assert record.is_alive
    record.end(timeout_s=0.2)
    assert not record.is_alive


def test_another_process_under_the_same_pid_is_left_alone(
    process: "subprocess.Popen[bytes]",
) -> None:
    earlier = ProcessRecord(pid=process.pid, started_at_s=1.0)
    assert not earlier.is_alive
    earlier.end(timeout_s=0.1)
    assert process.poll() is None


def test_a_zombie_does_not_count_as_alive() -> None:
    gone = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    record = ProcessRecord.of(gone.pid)
    assert gone.stdin is not None
    gone.stdin.close()
    while record.is_alive:
        pass
    assert gone.returncode is None
    gone.wait()
