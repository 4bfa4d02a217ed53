"""Waiting for what happens by itself."""

import time
from collections.abc import Callable

PATIENCE_S = 180
"""Time for operator, autoscaler and supervisor to act on a machine that has much else to do."""


def until(
    holds: Callable[[], bool],
    *,
    patience_s: float = PATIENCE_S,
    otherwise: Callable[[], object] = lambda: "",
) -> None:
    """Wait until a condition holds; a failure shows what there is ``otherwise``."""
    deadline = time.monotonic() + patience_s
    while not holds():
        assert time.monotonic() < deadline, f"waited {patience_s:g} s in vain. {otherwise()}"
        time.sleep(0.2)
