"""One supervisor per directory."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rehearsal.errors import RehearsalError


@contextmanager
def only_supervisor(directory: Path) -> Iterator[None]:
    """Hold the directory for the length of the block.

    The kernel frees the lock when its holder ends, however it ends, so a killed supervisor
    never blocks the next one.

    Raises:
        RehearsalError: another supervisor holds it.

    """
    lock_file = directory / "supervisor.lock"
    with lock_file.open("a+", encoding="utf-8") as handle:
        try:
            fcntl.flock(handle.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = lock_file.read_text(encoding="utf-8").strip()
            raise RehearsalError(
                f"A supervisor (process {holder}) already serves {directory}. "
                "Use it, or end it with `daskfleet rehearse down`."
            ) from None
        handle.truncate(0)
        handle.write(str(os.getpid()))
        handle.flush()
        yield
