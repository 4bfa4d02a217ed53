"""Starting the supervisor as a process of its own, and finding the one that runs."""

import subprocess
import sys
import time

from daskfleet.checkout import SOURCE_DIR
from daskfleet.files import OWNER_ONLY, OWNER_ONLY_UMASK, make_private_directory
from rehearsal.control_plane import DaskMode
from rehearsal.errors import RehearsalError
from rehearsal.process import ProcessRecord
from rehearsal.supervisor.record import SupervisorRecord, read_record
from rehearsal.workspace import Workspace

"""Where this code is: the program may be another revision, with a ``rehearsal`` of its own."""

READY_TIMEOUT_S = 60.0
"""It serves after 1 to 2 s; the discovery documents take longest on a busy machine."""

GOES_ON_TIMEOUT_S = 150.0
"""One that goes on starts its control planes first, 3 to 5 s each; these have 60 s of their own."""

LOG_TAIL_LINES = 20


def live_supervisor(workspace: Workspace) -> SupervisorRecord | None:
    """Return the record of the supervisor that runs for this directory, if one does."""
    record = read_record(workspace.supervisor_file)
    return record if record and record.process.is_alive else None


def launch_supervisor(workspace: Workspace, *, latency: str, dask: DaskMode) -> SupervisorRecord:
    """Start a supervisor that outlives this process, and return when it serves.

    Raises:
        RehearsalError: it ended or did not serve in time; the message shows its last words.

    """
    return _launch(workspace, "--latency", latency, "--dask", dask, within_s=READY_TIMEOUT_S)


def wake_supervisor(workspace: Workspace) -> SupervisorRecord:
    """Let a stage that is at rest go on, and return when its control planes serve again.

    Raises:
        RehearsalError: as ``launch_supervisor``; or a port is taken that the stage is known by.

    """
    return _launch(workspace, within_s=GOES_ON_TIMEOUT_S)


def _launch(workspace: Workspace, *options: str, within_s: float) -> SupervisorRecord:
    make_private_directory(workspace.directory)
    make_private_directory(workspace.logs_dir)
    log_file = workspace.logs_dir / "supervisor.log"
    command = [sys.executable, "-m", "rehearsal.supervisor"]
    command += [str(workspace.directory.resolve()), *options]
    log_file.touch(mode=OWNER_ONLY)
    with log_file.open("ab") as log:
        # A session of its own: closing the terminal, or Ctrl-C in it, does not reach it.
        process = subprocess.Popen(
            command,
            cwd=SOURCE_DIR,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            # What it and its processes write are keys, tokens, states and logs.
            umask=OWNER_ONLY_UMASK,
        )
    record = None
    try:
        record = _wait_for_record(process, workspace, within_s=within_s)
    finally:
        # After Ctrl-C too: without its record, `down` would not find it.
        if record is None and process.poll() is None:
            ProcessRecord.of(process.pid).end()
    if record is not None:
        return record
    lines = log_file.read_text(encoding="utf-8", errors="replace").splitlines()
    raise RehearsalError(
        f"The supervisor did not start (exit code {process.returncode}). Its last words, from "
        f"{log_file}:\n" + "\n".join(lines[-LOG_TAIL_LINES:])
    )


def _wait_for_record(
    process: "subprocess.Popen[bytes]", workspace: Workspace, *, within_s: float
) -> SupervisorRecord | None:
    """Return what the process writes when it serves; None when it ended or took too long."""
    deadline = time.monotonic() + within_s
    while process.poll() is None and time.monotonic() < deadline:
        record = live_supervisor(workspace)
        if record is not None and record.process.pid == process.pid:
            return record
        time.sleep(0.05)
    return None
