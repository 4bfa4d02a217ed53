"""This machine: which executables and files there are, and what a command says."""

import asyncio
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from daskfleet.platform.doctor.errors import NotLookedAtError

LONGEST_S = 60
"""A command that asks a far state backend takes seconds."""


@dataclass(frozen=True, kw_only=True)
class Done:
    """A command that has ended."""

    status: int
    output: str
    said: str
    """Its standard error."""


def find(name: str, environment: Mapping[str, str]) -> str | None:
    """Return where an executable is on PATH."""
    return shutil.which(name, path=environment.get("PATH", ""))


def is_readable(file: str) -> bool:
    """Return whether there is such a file, and this user may read it."""
    return bool(file) and os.access(Path(file).expanduser(), os.R_OK)


async def run(
    executable: str, *arguments: str, environment: Mapping[str, str], directory: Path
) -> Done:
    """Run a command to its end.

    Raises:
        NotLookedAtError: it did not end.

    """
    process = await asyncio.create_subprocess_exec(
        executable,
        *arguments,
        cwd=directory,
        env=dict(environment),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(LONGEST_S):
            output, said = await process.communicate()
    except TimeoutError as error:
        name = " ".join((Path(executable).name, *arguments))
        raise NotLookedAtError(f"`{name}` did not end within {LONGEST_S} s") from error
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return Done(
        status=process.returncode or 0,
        output=output.decode(errors="replace"),
        said=said.decode(errors="replace").strip(),
    )
