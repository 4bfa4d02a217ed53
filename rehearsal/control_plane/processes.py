"""The processes of a control plane: started together, watched, and stopped by whoever is left."""

import contextlib
import json
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil

from daskfleet.files import write_private_file
from rehearsal.control_plane.layout import Layout

STOP_TIMEOUT_S = 10
LOOK_AGAIN_S = 0.02
LINES_OF_A_LOG = 12

# A process id is given to another program sooner or later. Start times come from the wall clock,
# which may be set right by some seconds while a process runs.
SAME_START_S = 60


@dataclass(frozen=True, kw_only=True)
class DeadProcess:
    """A process that ended without being asked to."""

    name: str
    exit_code: int | None
    log_file: Path
    last_lines: tuple[str, ...]

    def __str__(self) -> str:
        """Say what ended, with its last words."""
        words = "\n".join(f"  {line}" for line in self.last_lines)
        return f"{self.name} ended with exit code {self.exit_code}; {self.log_file} ends:\n{words}"


@dataclass(frozen=True, kw_only=True)
class ProcessRecord:
    """What a later run needs to recognise a process of this one."""

    name: str
    process_id: int
    started_at: float
    executable: str

    def find(self) -> psutil.Process | None:
        """Give the process if it still runs, and None for another one under its old number."""
        try:
            process = psutil.Process(self.process_id)
            same_start = abs(process.create_time() - self.started_at) < SAME_START_S
            # Not the command line: it is empty for a moment after a program has been loaded.
            if same_start and process.exe() == self.executable:
                return process
        except psutil.Error:
            return None
        return None


class Processes:
    """The running processes of one directory, in the order in which they were started."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._running: dict[str, psutil.Popen] = {}
        self._records: list[ProcessRecord] = []

    def start(self, name: str, command: Sequence[str | Path]) -> None:
        """Start a process in a group of its own, its output going to its log."""
        with self._layout.log(name).open("wb") as log:
            process = psutil.Popen(
                [str(word) for word in command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=self._layout.directory,
                env=_environment(self._layout),
                # Ctrl-C in the terminal must not end etcd before the API server.
                start_new_session=True,
            )
        self._running[name] = process
        self._records.append(
            ProcessRecord(
                name=name,
                process_id=process.pid,
                started_at=process.create_time(),
                executable=str(Path(command[0]).resolve()),
            )
        )
        records = json.dumps([asdict(record) for record in self._records], indent=2)
        write_private_file(self._layout.processes, records.encode())

    def dead(self) -> tuple[DeadProcess, ...]:
        """Give the processes that ended by themselves."""
        return tuple(
            DeadProcess(
                name=name,
                exit_code=process.returncode,
                log_file=self._layout.log(name),
                last_lines=_last_lines(self._layout.log(name)),
            )
            for name, process in self._running.items()
            if process.poll() is not None
        )

    def restart(self, name: str, command: Sequence[str | Path]) -> None:
        """Kill a process and start it again. Raises KeyError when it was never started."""
        process = self._running[name]
        process.kill()
        process.wait(timeout=STOP_TIMEOUT_S)
        self._records = [record for record in self._records if record.name != name]
        self.start(name, command)

    def stop(self) -> None:
        """Stop all, last started first."""
        for name in reversed(tuple(self._running)):
            _stop(self._running.pop(name))
        self._records.clear()
        self._layout.processes.unlink(missing_ok=True)


def stop_left_over(directory: Path) -> tuple[str, ...]:
    """Stop what an earlier run left running in a control plane's directory.

    Only processes that are recorded there and still the same are touched. Returns their names.
    """
    layout = Layout(directory=directory)
    if not layout.processes.exists():
        return ()
    records = [
        ProcessRecord(**fields) for fields in json.loads(layout.processes.read_text("utf-8"))
    ]
    stopped = []
    for record in reversed(records):
        if process := record.find():
            _stop(process)
            stopped.append(record.name)
    layout.processes.unlink()
    return tuple(stopped)


def _stop(process: psutil.Process) -> None:
    for end in (signal.SIGTERM, signal.SIGKILL):
        # The process leads its group, so that nothing it started is left. macOS says "not
        # permitted" of a group that has ended.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, end)
        deadline = time.monotonic() + STOP_TIMEOUT_S
        while time.monotonic() < deadline:
            if _has_ended(process):
                return
            time.sleep(LOOK_AGAIN_S)


def _has_ended(process: psutil.Process) -> bool:
    try:
        # What an earlier run left has init for a parent, and not every init is quick to bury it.
        # Our own counts until it is buried: a zombie may be a first thread whose others still run.
        if process.ppid() != os.getpid() and process.status() == psutil.STATUS_ZOMBIE:
            return True
        process.wait(timeout=0)
    except psutil.NoSuchProcess:
        return True
    except psutil.TimeoutExpired:
        return False
    return True


def _environment(layout: Layout) -> Mapping[str, str]:
    """Give what programs need and no more: no proxy, no cloud credentials of the user."""
    users_own = os.environ.get("PATH", os.defpath)
    return {
        "PATH": os.pathsep.join((str(layout.exec_programs), users_own)),
        "HOME": str(layout.directory),
    }


def _last_lines(log: Path) -> tuple[str, ...]:
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    # A Go program that panics ends with its stacks; the reason stands before them.
    stacks = (number for number, line in enumerate(lines) if line.startswith("goroutine "))
    said = lines[: next(stacks, len(lines))]
    return tuple(said[-LINES_OF_A_LOG:])
