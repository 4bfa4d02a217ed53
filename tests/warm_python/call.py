"""One call of Python as it arrives at the warm process, and how a fork becomes that Python."""

import json
import os
import runpy
import signal
import socket
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path

import psutil

from tests.warm_python.imported import forget_other_checkouts
from tests.warm_python.installed import PIP_LIST, list_installed


@dataclass(frozen=True, kw_only=True)
class Call:
    """What a caller wants to be run, and in which surroundings."""

    arguments: Sequence[str]
    executable: str
    """Where the caller found this Python."""
    environment: Mapping[str, str]
    directory: str
    caller: int
    """The process to which the parent is known, and which gets the signals."""
    streams: Sequence[int]
    """File descriptors of standard input, output and error."""

    @classmethod
    def receive(cls, connection: socket.socket) -> "Call":
        """Take a call from the client at the other end."""
        length, streams, _, _ = socket.recv_fds(connection, 8, 3)
        with connection.makefile("rb", buffering=0) as words:
            text = b""
            while len(text) < int.from_bytes(length, "big"):
                text += words.read(int.from_bytes(length, "big") - len(text))
        return cls(streams=streams, **json.loads(text))

    def run(self, *, installed: Sequence[str], kept: Path) -> None:
        """Be that Python; returns or raises as the called code does.

        ``installed``: the standard library and site-packages, as every Python here has them.
        ``kept``: a folder for what is the same in every run.
        """
        for target, stream in enumerate(self.streams):
            os.dup2(stream, target)
            os.close(stream)
        os.setpgid(0, 0)  # a signal to the server's group is not meant for this one
        for name in (signal.SIGCHLD, signal.SIGTERM):
            signal.signal(name, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.environ.clear()
        os.environ.update(self.environment)
        tempfile.tempdir = None  # found anew: the caller's TMPDIR may be another one
        os.chdir(self.directory)
        os.getppid = self._parent_of_the_caller
        sys.executable = self.executable
        options, rest = _split(self.arguments)
        _open_streams(unbuffered="-u" in options or bool(os.environ.get("PYTHONUNBUFFERED")))
        own = [] if "-P" in options else [_own_directory(options, rest)]
        given = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
        sys.path[:] = [*own, *given, *installed]
        forget_other_checkouts([*sys.path, self.directory])
        if tuple(rest[:2]) == PIP_LIST:
            list_installed(rest, kept=kept)
        elif "-m" in options:
            sys.argv[:] = rest
            runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
        else:
            sys.argv[:] = rest
            runpy.run_path(rest[0], run_name="__main__")

    def _parent_of_the_caller(self) -> int:
        """A plugin ends when its parent does; the fork's own parent is nobody's."""
        try:
            return psutil.Process(self.caller).ppid()
        except psutil.NoSuchProcess:
            return 1


def _split(arguments: Sequence[str]) -> tuple[frozenset[str], list[str]]:
    """Part options from what they are about."""
    rest = list(arguments)
    options = []
    while rest[0] in {"-P", "-u", "-m"}:
        options.append(rest.pop(0))
    return frozenset(options), rest


def _own_directory(options: frozenset[str], rest: Sequence[str]) -> str:
    """What Python puts first on the path: the script's directory, or the working one."""
    return str(Path.cwd()) if "-m" in options else str(Path(rest[0]).resolve().parent)


def _open_streams(*, unbuffered: bool) -> None:
    """Open the standard streams on their descriptors, as an interpreter does when it starts."""
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - for good
    sys.stdout = _writer(1, line_buffered=unbuffered or os.isatty(1))
    sys.stderr = _writer(2, line_buffered=True, errors="backslashreplace")


def _writer(descriptor: int, *, line_buffered: bool, errors: str = "strict") -> TextIOWrapper:
    return open(
        descriptor,
        "w",
        buffering=1 if line_buffered else -1,
        encoding="utf-8",
        errors=errors,
        closefd=False,
    )
