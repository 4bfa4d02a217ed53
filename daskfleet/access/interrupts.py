"""What ends a command early must not leave processes and files behind."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def ended_like_ctrl_c() -> Iterator[None]:
    """Let SIGTERM, which a cancelled workflow and `timeout` send, do what Ctrl-C does."""
    previous = signal.getsignal(signal.SIGTERM)
    # Python hears signals in its main thread alone.
    if previous is _as_ctrl_c or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGTERM, _as_ctrl_c)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, previous)


@contextmanager
def uninterrupted(say: Callable[[], None]) -> Iterator[None]:
    """Go on when Ctrl-C is pressed, and ``say`` that it takes a moment."""
    ignored = (signal.SIGINT, signal.SIGTERM)
    previous = [signal.signal(each, lambda *_: say()) for each in ignored]
    try:
        yield
    finally:
        for each, handler in zip(ignored, previous, strict=True):
            signal.signal(each, handler)


def _as_ctrl_c(_signal: int, _frame: FrameType | None) -> None:
    signal.raise_signal(signal.SIGINT)
