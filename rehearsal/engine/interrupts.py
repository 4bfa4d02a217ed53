"""Ctrl-C while the engine works: the engine hears it, and ends by itself."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    import subprocess
    from types import FrameType

    from rehearsal.progress import Step

AT_ONCE = 2
"""Number of SIGINT after which the engine finishes nothing."""


class Interrupts:
    """Passes Ctrl-C on to the engine instead of raising KeyboardInterrupt here."""

    def __init__(self, process: subprocess.Popen[str], step: Step) -> None:
        self.count = 0
        """How often the user has pressed it."""
        self.sent = 0
        self._process = process
        self._step = step

    def __enter__(self) -> Self:
        self._previous = signal.signal(signal.SIGINT, self._pass_on)
        return self

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self._previous)

    def send(self) -> None:
        """Ask the engine to end; twice: at once."""
        self.sent += 1
        self._process.send_signal(signal.SIGINT)

    def send_at_once(self) -> None:
        """Ask the engine to finish nothing, unless it was asked that before."""
        if self.sent < AT_ONCE:
            self.send()

    def _pass_on(self, _signal: int, _frame: FrameType | None) -> None:
        self.count += 1
        self.send()
        if self.count == 1:
            self._step.say("Ctrl-C: Pulumi finishes what is in flight; once more stops it at once.")
