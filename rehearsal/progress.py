"""What a person sees while the rehearsal works: one line per step, and what goes on right now.

On a terminal the current activity is a single line that is replaced; elsewhere (a log, CI) each
report is a line of its own.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.status import Status
from rich.text import Text

import daskfleet.consoles
from rehearsal.report.model import StepResult

NAME_WIDTH = 18
SECONDS_WIDTH = 8
WIDTH_WITHOUT_TERMINAL = 132
"""Columns of what goes to a file or a pipe: whole pod names, and no longer lines."""


def open_console(*, stderr: bool = False) -> Console:
    """Return a console as wide as its terminal; a file or a pipe has room for whole names."""
    return daskfleet.consoles.open_console(
        stderr=stderr, width_without_terminal=WIDTH_WITHOUT_TERMINAL
    )


class Step:
    """One step while it runs."""

    def __init__(self, name: str, console: Console, status: Status | None) -> None:
        self.name = name
        self.outcome = ""
        """What the step came to; shown behind its name when it is done."""
        self._console = console
        self._status = status
        self._began = time.monotonic()

    @property
    def is_live(self) -> bool:
        """Whether the current activity can be replaced in place."""
        return self._status is not None

    @property
    def elapsed_s(self) -> float:
        """Seconds since the step began."""
        return time.monotonic() - self._began

    def show(self, activity: str) -> None:
        """Show what goes on right now, on a terminal only."""
        if self._status is not None:
            text = f"{self.name:<{NAME_WIDTH}}{activity}"
            room = self._console.width - SECONDS_WIDTH - 6
            shown = Text(text[:room].ljust(room) + f"{self.elapsed_s:{SECONDS_WIDTH - 2}.0f} s")
            self._status.update(shown)

    def report(self, activity: str) -> None:
        """Show what goes on right now; where nothing can be replaced, as a line."""
        if self._status is not None:
            self.show(activity)
        else:
            self.say(f"{self.name}: {activity}")

    def say(self, text: str, *, style: str = "") -> None:
        """Print a line that stays."""
        self._console.print(Text(f"  {text}", style=style), soft_wrap=True)


class Steps:
    """The steps of one command, with their durations."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self.results: list[StepResult] = []

    @contextmanager
    def step(self, name: str) -> Iterator[Step]:
        """Run the block as a step; its line is ticked, or crossed when the block raises."""
        status = Status("", console=self._console) if self._console.is_terminal else None
        step = Step(name, self._console, status)
        if status is not None:
            status.start()
        step.show("")
        done = False
        try:
            yield step
            done = True
        finally:
            if status is not None:
                status.stop()
            self._close(step, done=done)

    def _close(self, step: Step, *, done: bool) -> None:
        result = StepResult(name=step.name, outcome=step.outcome, duration_s=step.elapsed_s)
        self.results.append(result)
        mark, style = ("✓", "green") if done else ("✗", "red")
        room = self._console.width if self._console.is_terminal else 100
        room -= NAME_WIDTH + SECONDS_WIDTH + 6
        outcome = step.outcome if done or step.outcome else "failed"
        line = Text.assemble(
            ("  ", ""),
            (mark, style),
            f" {step.name:<{NAME_WIDTH}}",
            (f"{outcome:<{room}}", "dim"),
            (f"{result.duration_s:{SECONDS_WIDTH - 2}.1f} s", "dim"),
        )
        self._console.print(line, soft_wrap=True)
