"""This machine: which executables and files there are, and what a command says."""

import asyncio
import os
import shutil
import subprocess
from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path

from daskfleet.access.processes import Done, Process, completed
from daskfleet.platform.doctor.errors import NotLookedAtError

LONGEST_S = 60
"""A command that asks a far state backend takes seconds."""


def find(name: str, environment: Mapping[str, str]) -> str | None:
    """Return where an executable is on PATH."""
    return shutil.which(name, path=environment.get("PATH", ""))


def is_readable(file: str) -> bool:
    """Return whether there is such a file, and this user may read it."""
    return bool(file) and os.access(Path(file).expanduser(), os.R_OK)


async def ended(name: str, running: AbstractContextManager[Process]) -> Done:
    """Wait for a command beside others; one that is not waited for any more is ended.

    Raises:
        NotLookedAtError: it did not end.

    """
    try:
        with running as process:
            return await asyncio.to_thread(completed, process, longest_s=LONGEST_S)
    except subprocess.TimeoutExpired as error:
        raise NotLookedAtError(f"`{name}` did not end within {LONGEST_S} s") from error
