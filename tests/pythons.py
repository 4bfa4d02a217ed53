"""Interpreters of this machine."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

OLDEST_MINOR, NEWEST_MINOR = 11, 16

SAY = "import sys, venv, ensurepip; print(*sys.version_info[:3])"
"""What only one that can make virtual environments gets to the end of."""


def pythons() -> Iterator[tuple[Path, tuple[int, ...]]]:
    """Give each Python 3 that can make virtual environments, and its version."""
    names = [f"python3.{minor}" for minor in range(OLDEST_MINOR, NEWEST_MINOR + 1)]
    folders = [*os.environ["PATH"].split(os.pathsep), "/usr/bin", "/usr/local/bin"]
    found = [Path(folder) / name for folder in folders for name in names]
    pyenv = sorted((Path.home() / ".pyenv" / "versions").glob("3.*/bin/python"))
    managed = Path.home() / ".local" / "share" / "uv" / "python"
    uv = sorted(managed.glob("cpython-3.*/bin/python3"))
    for python in [*found, *pyenv, *uv]:
        if python.is_file() and (version := _version(python)) >= (3, OLDEST_MINOR):
            yield python, version


def python_of(minor: int) -> Path | None:
    """Return an interpreter of Python 3.``minor``, if there is one."""
    return next((python for python, version in pythons() if version[:2] == (3, minor)), None)


def _version(python: Path) -> tuple[int, ...]:
    # One of pyenv that is not chosen has a name on PATH, and fails.
    said = subprocess.run([str(python), "-c", SAY], capture_output=True, text=True, check=False)
    return tuple(map(int, said.stdout.split()))
