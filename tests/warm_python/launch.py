"""The warm process from the outside: starting it, and an environment whose Python is warm."""

import contextlib
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.project import PROJECT_DIR

CLIENT = Path(__file__).with_name("client.py")
START_TIMEOUT_S = 120.0
"""It imports for about five seconds of processor time; the rest is for a busy machine."""


@contextlib.contextmanager
def warm_python(directory: Path) -> Iterator[Path]:
    """Run a warm process until the end of the block; give the Python that hands calls to it.

    Like that of a virtual environment it lies in a ``bin`` with all other commands beside it.
    """
    address = directory / "python.sock"
    command = [sys.executable, "-m", "tests.warm_python.server", str(address)]
    with subprocess.Popen(command, cwd=PROJECT_DIR, stdin=subprocess.PIPE) as process:
        try:
            deadline = time.monotonic() + START_TIMEOUT_S
            while not address.exists():
                assert process.poll() is None, "the warm process has ended"
                assert time.monotonic() < deadline, "the warm process does not start"
                time.sleep(0.05)
            yield _write_environment(directory / "environment", address)
        finally:
            process.terminate()


def _write_environment(directory: Path, address: Path) -> Path:
    real = Path(sys.executable)
    commands = directory / "bin"
    commands.mkdir(parents=True)
    for command in real.parent.iterdir():
        if not command.name.startswith(("python", "daskfleet")):
            (commands / command.name).symlink_to(command)
    for name in ("python", "python3"):
        _write_command(commands / name, real, "-ISE", CLIENT, address, commands / name, real)
    _write_command(commands / "daskfleet", commands / "python", "-m", "daskfleet")
    return commands / real.name


def _write_command(file: Path, *words: str | Path) -> None:
    line = " ".join(shlex.quote(str(word)) for word in words)
    file.write_text(f'#!/bin/sh\nexec {line} "$@"\n', encoding="utf-8")
    file.chmod(0o755)
