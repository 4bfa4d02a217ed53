"""Files as commands write them: whole or not at all, and those with secrets for their user alone.

A reader sees the old file or the new one, never a part of it, and a full disk leaves the old one.
"""

import os
import secrets
import stat
from pathlib import Path

OWNER_ONLY = 0o600
OWNER_ONLY_DIRECTORY = 0o700
OWNER_ONLY_UMASK = 0o077
"""For processes that write files of their own."""

FOR_ANYBODY = 0o666
"""Less what the umask takes away."""


def write_file(file: Path, content: str | bytes) -> None:
    """Write what has no secrets.

    Raises:
        OSError: it cannot be written; what was there is as it was.

    """
    _write(file, content, FOR_ANYBODY)


def write_private_file(file: Path, content: str | bytes) -> int:
    """Write what only this user may read, whatever the umask, and return the file's inode.

    Raises:
        OSError: it cannot be written; what was there is as it was.

    """
    return _write(file, content, OWNER_ONLY)


def empty_private_file(file: Path) -> None:
    """Leave an empty file that only this user can read, for a program that writes into it.

    Raises:
        OSError: it cannot be made, or something that is no file is there.

    """
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_NONBLOCK, OWNER_ONLY)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(0, "there is something that is no file", str(file))
        os.fchmod(handle, OWNER_ONLY)
        os.ftruncate(handle, 0)
    finally:
        os.close(handle)


def make_private_directory(directory: Path) -> None:
    """Make a directory, with those above it, that only this user can enter; or make it so.

    Those above it that are there already stay as they are.
    """
    for missing in (*reversed(directory.parents), directory):
        if not missing.exists():
            missing.mkdir(mode=OWNER_ONLY_DIRECTORY, exist_ok=True)
    directory.chmod(OWNER_ONLY_DIRECTORY)


def _write(file: Path, content: str | bytes, mode: int) -> int:
    data = content.encode() if isinstance(content, str) else content
    target = Path(os.path.realpath(file))  # a link stays one
    if target.exists() and not target.is_file():
        # A device or a pipe, as /dev/stdout: nothing can be put in its place.
        target.write_bytes(data)
        return target.stat().st_ino
    beside = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(handle, "wb") as new:
            new.write(data)
            new.flush()
            inode = os.fstat(handle).st_ino
        beside.replace(target)
    except BaseException as error:
        beside.unlink(missing_ok=True)
        if isinstance(error, OSError):
            # What was asked for is the file that people know.
            raise OSError(error.errno, error.strerror, str(file)) from error
        raise
    return inode
