"""One container's processes: a leader in a session of its own, and all that it starts."""

import asyncio
import contextlib
import os
import signal
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import psutil

from rehearsal.dask_pods.log_file import LogFile

LAST_WORDS_S = 1.0
"""What a process said is in its pipe when it ends. Whoever left the group may hold that open."""

LOOK_AGAIN_S = 0.01


class ProcessGroup:
    """Started once, ended once; when the leader ends, nothing of the group is left."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.pid = process.pid
        """Of the leader, and the number of the group."""
        self.started_at = datetime.now(UTC)
        self.finished_at: datetime | None = None
        self._process = process
        self._watch: asyncio.Task[None] | None = None

    @classmethod
    async def start(
        cls, argv: Sequence[str], *, environment: Mapping[str, str], directory: Path, log: Path
    ) -> "ProcessGroup":
        """Start a command with this environment and no more. Raises OSError when it cannot."""
        log_file = LogFile(log)
        outputs: list[asyncio.StreamReader] = []
        writing: list[int] = []
        try:
            # Pipes of our own: asyncio's wait() for a process waits for its own pipes too, and a
            # child may hold them open for longer (python/cpython#119710).
            for _ in range(2):
                reader, write_end = await _pipe()
                outputs.append(reader)
                writing.append(write_end)
            process = await asyncio.create_subprocess_exec(
                *argv,
                env=dict(environment),
                cwd=directory,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=writing[0],
                stderr=writing[1],
                start_new_session=True,
            )
        except OSError:
            log_file.close()
            raise
        finally:
            for write_end in writing:
                os.close(write_end)
        group = cls(process)
        group._watch = asyncio.create_task(group._until_the_end(outputs, log_file))
        return group

    @property
    def has_ended(self) -> bool:
        """Whether the leader has ended, the rest is gone, and the log is complete."""
        return self._watch is not None and self._watch.done()

    @property
    def exit_code(self) -> int:
        """As a container runtime tells it: 128 and the number for an end by a signal."""
        code = self._process.returncode or 0
        return code if code >= 0 else 128 - code

    async def stop(self, *, grace_s: float) -> None:
        """SIGTERM to the leader, as a runtime does; after the grace period SIGKILL to all."""
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.terminate()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(grace_s):
                    await self._process.wait()
        self._kill_all()
        if self._watch is not None:
            await asyncio.shield(self._watch)

    async def _until_the_end(self, outputs: list[asyncio.StreamReader], log_file: LogFile) -> None:
        copies = [
            asyncio.create_task(log_file.copy(output, stream=stream))
            for output, stream in zip(outputs, ("stdout", "stderr"), strict=True)
        ]
        await self._process.wait()
        self.finished_at = datetime.now(UTC)
        await self._kill_the_rest()
        _, still_open = await asyncio.wait(copies, timeout=LAST_WORDS_S)
        for copy in still_open:
            copy.cancel()
        log_file.close()

    async def _kill_the_rest(self) -> None:
        self._kill_all()
        # A signal is sent before it is obeyed.
        while any(self._members()):  # noqa: ASYNC110  (the system has no event for it)
            await asyncio.sleep(LOOK_AGAIN_S)

    def _members(self) -> Iterator[psutil.Process]:
        """Give what still runs of the group; not every init is quick to bury a zombie."""
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.NoSuchProcess, ProcessLookupError, PermissionError):
                is_ours = os.getpgid(process.pid) == self.pid
                if is_ours and process.status() != psutil.STATUS_ZOMBIE:
                    yield process

    def _kill_all(self) -> None:
        # macOS says "not permitted" of a group that has ended.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)


async def _pipe() -> tuple[asyncio.StreamReader, int]:
    """Make a pipe; returns its reading end, and the descriptor of its writing end."""
    read_end, write_end = os.pipe()
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(read_end, "rb")
    )
    return reader, write_end
