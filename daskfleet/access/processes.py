"""Running another program: it does not outlive its reader, and may end what it began."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from daskfleet.access.interrupts import ended_like_ctrl_c
from daskfleet.files import OWNER_ONLY_UMASK

PATIENCE_S = 20.0
"""How long a program may end what it began after Ctrl-C, before it is killed."""

Process = subprocess.Popen[bytes]


@dataclass(frozen=True, kw_only=True)
class Done:
    """A program that has ended."""

    status: int
    output: str
    said: str
    """Its standard error."""


@contextlib.contextmanager
def started(
    command: Sequence[str],
    *,
    directory: Path,
    environment: Mapping[str, str] | None = None,
    stdin: int = subprocess.DEVNULL,
    stdout: int = subprocess.PIPE,
    stderr: int = subprocess.PIPE,
) -> Iterator[Process]:
    """Run a program until it ends or the block is left by an exception, as at Ctrl-C and SIGTERM.

    Then it is interrupted with what runs in its process group, and after 20 seconds killed. It is
    waited for in any case. Files that it writes are for this user alone. ``environment``: None is
    this process's.

    Raises:
        FileNotFoundError: there is no such program.

    """
    with ended_like_ctrl_c():
        process = subprocess.Popen(
            command,
            cwd=directory,
            env=environment,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            # A group of its own: the terminal's Ctrl-C would reach it a second time.
            process_group=0,
            umask=OWNER_ONLY_UMASK,
        )
        try:
            yield process
        except BaseException:
            _interrupt(process)
            raise
        finally:
            process.wait()


def completed(process: Process, *, given: str = "", longest_s: float | None = None) -> Done:
    """Wait for a program that writes into pipes; ``given`` is its standard input, if it has one.

    Raises:
        subprocess.TimeoutExpired: it did not end within ``longest_s`` seconds; it runs on.

    """
    try:
        output, said = process.communicate(given.encode() or None, timeout=longest_s)
    except BaseException:
        # It could not end while it waits for a reader.
        for pipe in filter(None, (process.stdout, process.stderr)):
            pipe.close()
        raise
    return Done(status=process.returncode, output=_text(output), said=_text(said).strip())


def _interrupt(process: Process) -> None:
    _signal(process, signal.SIGINT)
    try:
        process.wait(PATIENCE_S)
    except subprocess.TimeoutExpired:
        _signal(process, signal.SIGKILL)
    except BaseException:
        _signal(process, signal.SIGKILL)
        raise


def _signal(process: Process, number: signal.Signals) -> None:
    # One that is waited for already may have handed its number to another.
    if process.poll() is None:
        os.killpg(process.pid, number)


def _text(data: bytes | None) -> str:
    return (data or b"").decode(errors="replace")
