"""What ends a command early must not leave processes and files behind."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def ended_like_ctrl_c() -> Iterator[None]:
    """Let SIGTERM, which a cancelled workflow and `timeout` send, do what Ctrl-C does."""
    previous = signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
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
