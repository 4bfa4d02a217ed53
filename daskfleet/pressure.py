"""What happens to a command when the system fails it: a sentence and an exit status.

Full or closed output, a full or read-only disk, Ctrl-C, a terminal without columns. Imports next to
nothing, because Ctrl-C may come while everything else is loaded.
"""

import atexit
import errno
import io
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

FAILED = 1
INTERRUPTED = 130

FEWEST_COLUMNS = 20
"""In fewer rich leaves words out, and says nothing of it; 0 is what terminals say that do not know
their width."""

MOST_COLUMNS = 10_000
"""Tables are filled with blanks up to the width."""

OF_THE_SYSTEM = frozenset(
    {
        *(errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EPIPE, errno.EROFS),
        *(errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN, errno.EBADF),
    }
)
"""Errors that say all there is to say even where no file is named. Others are mistakes of ours."""

NO_HOME = "Could not determine home directory."
"""All that ``Path.home`` and ``expanduser`` say of it (CPython, pathlib.py)."""

OUTPUT = "standard output"
NO_OUTPUT = f"{OUTPUT} is closed. Send it to /dev/null if nobody wants to read it."


@contextmanager
def ends_in_words() -> Iterator[None]:
    """End the process in a sentence where the system fails it; for the whole of a command."""
    before = interrupts_end_at_once()
    _prepare()
    with explained():
        if before is not None:
            signal.signal(signal.SIGINT, before)
        yield


@contextmanager
def explained() -> Iterator[None]:
    """End a part of a command in a sentence where the system fails it.

    Raises:
        SystemExit: it did, or the command has ended.

    """
    output = _place_of_output()
    try:
        try:
            yield
        finally:
            # What is still kept back has to arrive, too.
            sys.stdout.flush()
    except _Explained:
        raise
    except KeyboardInterrupt:
        raise _said("interrupted.", INTERRUPTED) from None
    except OSError as error:
        if error.filename == OUTPUT:
            _give_up(sys.stdout.fileno())
        if (words := _words(error)) is None:
            raise
        raise _said(words, FAILED) from None
    except RuntimeError as error:
        if str(error) != NO_HOME:
            raise
        raise _said("this user has no home folder. Set HOME to one.", FAILED) from None
    except SystemExit:
        if _place_of_output() != output:
            # rich leads it to /dev/null when its reader has gone.
            raise _said(f"{OUTPUT}: {os.strerror(errno.EPIPE)}.", FAILED) from None
        raise


@contextmanager
def loading() -> Iterator[None]:
    """While code is loaded, end by Ctrl-C at once: nothing has begun, and an import cannot end."""
    before = interrupts_end_at_once()
    try:
        yield
    finally:
        if before is not None:
            signal.signal(signal.SIGINT, before)


def interrupts_end_at_once() -> "signal._HANDLER":
    """Let Ctrl-C end the process with nothing but a sentence; return what it did before.

    None: it does what it did, since only the main thread is interrupted, or since whoever started
    the process wants Ctrl-C to be ignored.
    """
    if threading.current_thread() is not threading.main_thread():
        return None
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        return None
    return signal.signal(signal.SIGINT, _end_at_once)


def _end_at_once(_: int, __: FrameType | None) -> None:
    with suppress(OSError):
        os.write(2, b"daskfleet: interrupted.\n")
    os._exit(INTERRUPTED)


def _prepare() -> None:
    """Open what is closed, lest a file of ours gets its number, and forget a useless width."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115 - until the end
    if has_no_output := sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    if has_no_output:
        raise _said(NO_OUTPUT, FAILED)
    sys.stdout = io.TextIOWrapper(
        io.BufferedWriter(_Output(sys.stdout.fileno(), "w", closefd=False)),
        encoding=sys.stdout.encoding,
        errors=sys.stdout.errors,
        line_buffering=bool(sys.stdout.line_buffering),
    )
    try:
        os.getcwd()  # noqa: PTH109 - the same
    except FileNotFoundError:
        raise _said("the current directory is deleted. Change to another.", FAILED) from None
    # What was registered first comes last: then Python gives Ctrl-C back to the system, which
    # would end without a word what has ended already.
    atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)
    columns = os.environ.get("COLUMNS", "")
    if not (columns.isdecimal() and FEWEST_COLUMNS <= int(columns[:9]) <= MOST_COLUMNS):
        os.environ.pop("COLUMNS", None)


def _place_of_output() -> tuple[int, int] | None:
    """Return what standard output leads to."""
    try:
        found = os.fstat(sys.stdout.fileno())
    except (OSError, ValueError):  # a test's, or closed
        return None
    return found.st_dev, found.st_ino


def _words(error: OSError) -> str | None:
    """Return what failed; None: not the system, as far as one can tell."""
    if error.filename is not None:
        return f"{error.filename}: {error.strerror}."
    return f"{error.strerror}." if error.errno in OF_THE_SYSTEM else None


class _Output(io.FileIO):
    """Standard output, which says that it is that when it cannot be written."""

    def write(self, data: "ReadableBuffer", /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            raise OSError(error.errno, error.strerror, OUTPUT) from error


class _Explained(SystemExit):
    """The end of a command of which everything is said."""


def _said(words: str, status: int) -> _Explained:
    _say(words)
    return _Explained(status)


def _say(words: str) -> None:
    try:
        sys.stderr.write(f"daskfleet: {words}\n")
        sys.stderr.flush()
    except OSError:
        _give_up(sys.stderr.fileno())


def _give_up(stream: int) -> None:
    """Lead it to where all is lost without an error, or Python tries once more at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream)
    os.close(nowhere)
