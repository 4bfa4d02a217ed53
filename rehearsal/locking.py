"""One process at a time: the others wait and say for whom."""

import fcntl
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

LOOK_AGAIN_S = 0.5


@contextmanager
def exclusive(lock_file: Path, *, subject: str, progress: Callable[[str], None]) -> Iterator[None]:
    """Hold `lock_file` for the length of the block.

    The kernel frees the lock when its holder ends, however it ends: a crashed one never blocks
    the next one. Whoever waits reports once which process it waits for. The last one leaves no
    file.
    """
    lock_file.parent.mkdir(parents=True, exist_ok=True)
    with _held(lock_file, subject=subject, progress=progress) as handle:
        handle.truncate(0)
        handle.write(f"process {os.getpid()} ({' '.join(sys.orig_argv)[:80]})\n")
        handle.flush()
        try:
            yield
        finally:
            # While it is held: who waits for it sees that it has become another file's name.
            lock_file.unlink(missing_ok=True)


def _held(lock_file: Path, *, subject: str, progress: Callable[[str], None]) -> IO[str]:
    """Return the file once it is locked, and still the one that has this name."""
    reported = False
    while True:
        handle = lock_file.open("a+", encoding="utf-8")
        try:
            fcntl.flock(handle.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _has_its_name(handle, lock_file):
                return handle
        except BlockingIOError:
            if not reported:
                handle.seek(0)
                holder = handle.read().strip() or "another process"
                progress(f"{subject}: waiting for {holder}, which is at work on it")
                reported = True
            time.sleep(LOOK_AGAIN_S)
        except BaseException:
            handle.close()
            raise
        handle.close()


def _has_its_name(handle: IO[str], lock_file: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle.fileno()), lock_file.stat())
    except FileNotFoundError:
        return False
