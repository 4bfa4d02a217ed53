"""One process at a time: the others wait and say for whom."""

import fcntl
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

LOOK_AGAIN_S = 0.5


@contextmanager
def exclusive(lock_file: Path, *, subject: str, progress: Callable[[str], None]) -> Iterator[None]:
    """Hold `lock_file` for the length of the block.

    The kernel frees the lock when its holder ends, however it ends: a crashed one never blocks
    the next one. Whoever waits reports once which process it waits for.
    """
    lock_file.parent.mkdir(parents=True, exist_ok=True)
    with lock_file.open("a+", encoding="utf-8") as handle:
        _wait_for(handle.fileno(), lock_file, subject=subject, progress=progress)
        handle.truncate(0)
        handle.write(f"process {os.getpid()} ({' '.join(sys.orig_argv)[:80]})\n")
        handle.flush()
        yield


def _wait_for(
    descriptor: int, lock_file: Path, *, subject: str, progress: Callable[[str], None]
) -> None:
    reported = False
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if not reported:
                holder = lock_file.read_text(encoding="utf-8").strip() or "another process"
                progress(f"{subject}: waiting for {holder}, which is at work on it")
                reported = True
            time.sleep(LOOK_AGAIN_S)
        else:
            return
