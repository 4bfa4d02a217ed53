"""Unit tests: a measured command is charged with all that it starts, and with nothing else."""

import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from bench.process_tree import CommandFailedError, Usage, cpu_by_process, measure

BURN_200_MS = "import time\nwhile time.process_time() < 0.2: pass"
HOLD_100_MIB = "import time; held = bytes([1]) * (100 << 20); time.sleep(0.5)"


def _measured(program: str) -> Usage:
    return measure([sys.executable, "-c", program], cwd=Path.cwd(), environment=os.environ)


def _in_a_child(program: str) -> str:
    return f"import subprocess, sys; subprocess.run([sys.executable, '-c', {program!r}])"


def test_the_cpu_time_of_a_child_counts() -> None:
    assert _measured(_in_a_child(BURN_200_MS)).cpu_s >= 0.2


def test_the_memory_of_a_child_counts() -> None:
    assert _measured(_in_a_child(HOLD_100_MIB)).peak_memory_mib >= 100


def test_each_process_that_runs_on_is_told_by_itself() -> None:
    program = f"{BURN_200_MS}\nprint('burnt', flush=True)\ninput()"
    command = [sys.executable, "-c", program]
    with psutil.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as burner:
        burner.stdout.readline()
        assert cpu_by_process(psutil.Process())[burner.pid] >= 0.1  # in ticks of 10 ms each
        burner.kill()


def test_a_command_that_fails_is_no_measurement_and_is_quoted() -> None:
    with pytest.raises(CommandFailedError, match="no such team"):
        _measured("raise SystemExit('no such team')")
