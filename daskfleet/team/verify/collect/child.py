"""A member's process that speaks Dask: it has nothing worth stealing, and its answer is bounded.

Dask's messages are unpickled, so whoever runs code in a scheduler runs code in its clients, as in
each of the member's own. What remains to such code: it is a process of the same user, so it can
read the files of that user and ``/proc`` of the processes. Whoever has more than a member's login
asks in the team's namespace for that reason (``in_namespace``).
"""

import asyncio
import os
import signal
import site
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from daskfleet.team.verify.collect.probe_answer import MOST_BYTES, PROGRESS
from daskfleet.team.verify.errors import VerifyError

PASSED_ON = (
    *("PATH", "LANG", "LC_ALL", "LC_CTYPE"),
    # Where the Python that is asked about, its libraries and CUDA are found.
    *("PYTHONHOME", "PYTHONSAFEPATH", "LD_LIBRARY_PATH", "CUDA_PATH", "CUDA_VISIBLE_DEVICES"),
)
"""All that the child gets of the environment, beside folders that are made for it."""

TIMEOUT_S = 110
"""Beyond the sum of the probe's own limits."""

END_TIMEOUT_S = 5
"""For a process that was killed."""

MOST_SAID_BYTES = 1024 * 1024
"""Of standard error, where libraries also put their warnings."""

CHUNK_BYTES = 64 * 1024


@dataclass(frozen=True, kw_only=True)
class Answer:
    """How the child ended."""

    document: bytes
    """What it wrote to standard output; empty where that is of no use."""

    problem: str = ""
    """Why it is of no use: too long, too late, too little; empty where it ended well."""

    said: Sequence[str] = ()
    """Lines of standard error, without those of its progress."""

    has_connected: bool = False
    """Whether it has begun to talk to the scheduler: from then on it may be somebody else's."""


class _TooMuchError(Exception):
    """One of the streams is longer than anything that the probe says."""


def child_environment(home: Path, around: Mapping[str, str]) -> dict[str, str]:
    """Pure: the environment of a process that has this folder and nothing else of its own."""
    folders = {"HOME": str(home), "TMPDIR": str(home), "PYTHONUSERBASE": site.getuserbase()}
    passed_on = {name: around[name] for name in PASSED_ON if name in around}
    if paths := around.get("PYTHONPATH"):
        # Relative ones are meant from here, and the child begins elsewhere.
        passed_on["PYTHONPATH"] = os.pathsep.join(map(os.path.abspath, paths.split(os.pathsep)))
    return {**passed_on, **folders}


async def asked(
    command: Sequence[str], request: bytes, *, progress: Callable[[str], None]
) -> Answer:
    """Run the child to its end, or end it, with what it has started.

    Raises:
        VerifyError: it cannot be started.

    """
    with tempfile.TemporaryDirectory(prefix="daskfleet-", ignore_cleanup_errors=True) as home:
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                close_fds=True,
                cwd=home,
                env=child_environment(Path(home), os.environ),
                # Ctrl-C is for this process, which then ends that one.
                start_new_session=True,
            )
        except OSError as error:
            raise VerifyError(f"{command[0]} cannot be run: {error.strerror}.") from error
        try:
            return await _listened_to(process, request, progress)
        finally:
            await _ended(process)


async def _listened_to(
    process: asyncio.subprocess.Process, request: bytes, progress: Callable[[str], None]
) -> Answer:
    assert process.stdin  # noqa: S101 - is a pipe
    process.stdin.write(request)
    process.stdin.close()
    listening = _Listening(progress)
    problem, document = "", b""
    try:
        async with asyncio.timeout(TIMEOUT_S):
            document = await _document(process, listening)
    except TimeoutError:
        problem = f"it did not end within {TIMEOUT_S} s"
    except _TooMuchError as error:
        problem = str(error)
    else:
        if process.returncode or not document:
            problem = f"the process that asks ended with status {process.returncode}"
    return Answer(
        document=b"" if problem else document,
        problem=problem,
        said=listening.said,
        has_connected=listening.has_connected,
    )


async def _document(process: asyncio.subprocess.Process, listening: "_Listening") -> bytes:
    assert process.stdout and process.stderr  # noqa: S101, PT018 - are pipes
    try:
        async with asyncio.TaskGroup() as all_of_it:
            answering = all_of_it.create_task(_whole(process.stdout, MOST_BYTES))
            all_of_it.create_task(_whole(process.stderr, MOST_SAID_BYTES, listening.hear))
            all_of_it.create_task(process.wait())
    except* _TooMuchError as errors:
        raise errors.exceptions[0] from None
    return answering.result()


async def _ended(process: asyncio.subprocess.Process) -> None:
    """End the process with what it has started, and wait for as long as that can take.

    What it started in a session of its own may live on, and hold its streams open.
    """
    assert process.stdout and process.stderr  # noqa: S101, PT018 - are pipes
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    with suppress(TimeoutError):
        async with asyncio.timeout(END_TIMEOUT_S):
            # A stream that nobody reads keeps ``wait`` from seeing the end.
            await asyncio.gather(
                _discarded(process.stdout), _discarded(process.stderr), process.wait()
            )


async def _discarded(stream: asyncio.StreamReader) -> None:
    while await stream.read(CHUNK_BYTES):
        pass


async def _whole(
    stream: asyncio.StreamReader, at_most: int, heard: Callable[[bytes], None] | None = None
) -> bytes:
    whole = bytearray()
    while chunk := await stream.read(CHUNK_BYTES):
        whole += chunk
        if heard:
            heard(chunk)
        if len(whole) > at_most:
            raise _TooMuchError(f"it is longer than {at_most // (1024 * 1024)} MiB")
    return bytes(whole)


class _Listening:
    """The lines of standard error, as they come."""

    def __init__(self, progress: Callable[[str], None]) -> None:
        self.said: list[str] = []
        self.has_connected = False
        self._progress = progress
        self._begun = b""

    def hear(self, chunk: bytes) -> None:
        *lines, self._begun = (self._begun + chunk).split(b"\n")
        for line in lines:
            text = line.decode(errors="replace").rstrip()
            if doing := PROGRESS.fullmatch(text):
                self.has_connected = True
                self._progress(doing[1])
            else:
                self.said.append(text)
