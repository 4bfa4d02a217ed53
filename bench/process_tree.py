"""Wall time, CPU time and peak memory of a command with everything that it starts."""

import resource
import subprocess
import tempfile
import time
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import psutil
from pydantic import BaseModel, ConfigDict

SAMPLE_EVERY_S = 0.2
"""Looking through the process table takes 5 ms; more often would disturb what is measured."""

MIB = 1024 * 1024


class CommandFailedError(Exception):
    """A measured command failed; the message has its last words."""


class Usage(BaseModel):
    """What one run of a command took."""

    model_config = ConfigDict(frozen=True)

    wall_s: float
    cpu_s: float
    """User and system time of the command and all its descendants that were waited for."""
    peak_memory_mib: float
    """Largest sum of resident memory over the processes alive at one moment. What processes
    share counts once for each of them, so it is an upper bound."""
    foreign_cpu_s: float
    """CPU time of everything else on the machine meanwhile, this sampling included."""


def measure(
    command: Sequence[str],
    *,
    cwd: Path,
    environment: Mapping[str, str],
    may_end_with: Collection[int] = (0,),
) -> Usage:
    """Run a command to its end and return what it took.

    Raises:
        CommandFailedError: it ended with another status than ``may_end_with``.
    """
    cpu_before, busy_before = _children_cpu_s(), _machine_busy_s()
    peak_bytes = 0
    with tempfile.TemporaryFile() as said:
        began = time.monotonic()
        process = psutil.Popen(
            command,
            cwd=cwd,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
        )
        while process.poll() is None:
            peak_bytes = max(peak_bytes, _resident_bytes(process))
            try:
                process.wait(timeout=SAMPLE_EVERY_S)
            except psutil.TimeoutExpired:
                continue
        wall_s = time.monotonic() - began
        if process.returncode not in may_end_with:
            said.seek(0)
            words = said.read().decode(errors="replace").strip()
            raise CommandFailedError(f"`{' '.join(command)}` failed:\n{words}")
    cpu_s = _children_cpu_s() - cpu_before
    return Usage(
        wall_s=wall_s,
        cpu_s=cpu_s,
        peak_memory_mib=peak_bytes / MIB,
        foreign_cpu_s=max(0.0, _machine_busy_s() - busy_before - cpu_s),
    )


def cpu_by_process(process: psutil.Process) -> dict[int, float]:
    """Give the CPU seconds of a process and of each that it started and that still runs."""
    found = {}
    for member in (process, *process.children(recursive=True)):
        try:
            times = member.cpu_times()
        except psutil.NoSuchProcess:
            continue
        found[member.pid] = times.user + times.system
    return found


def _resident_bytes(process: psutil.Process) -> int:
    total = 0
    try:
        family = [process, *process.children(recursive=True)]
    except psutil.NoSuchProcess:
        return 0
    for member in family:
        try:
            total += member.memory_info().rss
        except psutil.NoSuchProcess:
            continue
    return total


def _children_cpu_s() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _machine_busy_s() -> float:
    times = psutil.cpu_times()
    return float(times.user + times.system)
