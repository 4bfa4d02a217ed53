"""Processes that outlive their parent, known by pid and start time, so that no other is ended."""

import contextlib
import time
from typing import Self

import psutil
from pydantic import BaseModel, ConfigDict

END_TIMEOUT_S = 30.0
"""Ending a control plane takes 2 to 5 s; the rest is for a busy machine."""


class ProcessRecord(BaseModel):
    """One process, as written to disk by whoever started it.

    A pid alone is reused by the system; together with the start time it names one process.
    """

    model_config = ConfigDict(frozen=True)

    pid: int
    started_at_s: float
    """Start time in seconds since the epoch, as the kernel tells it."""

    @classmethod
    def of(cls, pid: int) -> Self:
        """Record the running process ``pid``. Raises psutil.NoSuchProcess when there is none."""
        return cls(pid=pid, started_at_s=psutil.Process(pid).create_time())

    @property
    def is_alive(self) -> bool:
        """Whether this very process still runs (a zombie does not)."""
        return self._process() is not None

    def end(self, *, timeout_s: float = END_TIMEOUT_S) -> None:
        """Ask the process to end, then make it; a process that is gone is fine.

        Raises psutil.TimeoutExpired when even SIGKILL does not end it.
        """
        process = self._process()
        if process is None:
            return
        with contextlib.suppress(psutil.NoSuchProcess):
            process.terminate()
            if self._gone_within(timeout_s):
                return
            process.kill()
            process.wait(timeout=timeout_s)

    def _gone_within(self, timeout_s: float) -> bool:
        deadline = time.monotonic() + timeout_s
        while self.is_alive:
            if time.monotonic() > deadline:
                return False
            time.sleep(0.05)
        return True

    def _process(self) -> psutil.Process | None:
        try:
            process = psutil.Process(self.pid)
            same = abs(process.create_time() - self.started_at_s) < 1.0
            alive = same and process.status() != psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            return None
        return process if alive else None
