"""What a preview that runs shows on standard error."""

from collections.abc import Callable

from rich.console import Console
from rich.text import Text

SAY_EVERY_S = 15.0
"""How often a log, which has no line that moves, hears of a preview that goes on."""

Progress = Callable[[int, float], None]
"""Called with the number of steps that the engine has begun, and the seconds since it started."""


def shown_on(console: Console, update: Callable[[Text], None]) -> Progress:
    """On a terminal one line that moves; in a log a line now and then."""
    said_at = -SAY_EVERY_S

    def show(steps: int, seconds: float) -> None:
        nonlocal said_at
        line = Text(f"pulumi preview: {steps} steps, {seconds:.0f} s")
        if console.is_terminal:
            update(line)
        elif seconds - said_at >= SAY_EVERY_S:
            console.print(line, soft_wrap=True)
            said_at = seconds

    return show
