"""Waiting for what happens by itself."""

import time
from collections.abc import Callable

PATIENCE_S = 60
"""Time for operator, autoscaler and supervisor to act, on a busy machine."""


def until(holds: Callable[[], bool], *, patience_s: float = PATIENCE_S) -> None:
    """Wait until a condition holds."""
    deadline = time.monotonic() + patience_s
    while not holds():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.2)
