"""Where commands print for people, and how those that only look begin and end."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer
from rich.console import Console
from rich.text import Text

from daskfleet.pressure import FAILED, INTERRUPTED
from daskfleet.visible import visible_lines

WIDTH_WITHOUT_TERMINAL = 160
"""Columns of what goes to a file or a pipe: whole names, and no longer lines."""


def open_console(
    *, stderr: bool = False, width_without_terminal: int = WIDTH_WITHOUT_TERMINAL
) -> Console:
    """Return a console for standard output or standard error."""
    console = Console(stderr=stderr, highlight=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = width_without_terminal
    return console


@contextmanager
def activity_shown(
    console: Console, *, in_a_log: Callable[[str], str] = str
) -> Iterator[Callable[[str], None]]:
    """Show what goes on: on a terminal in one line that moves, in a log each new line once.

    ``in_a_log`` shortens what a log is told.
    """
    told: set[str] = set()
    with console.status("") as status:

        def show(activity: str) -> None:
            line = in_a_log(activity)
            if console.is_terminal:
                status.update(Text(activity))
            elif line not in told:
                console.print(Text(f"  {line}"), soft_wrap=True)
            told.add(line)

        yield show


@contextmanager
def only_looking(console: Console, *errors: type[Exception]) -> Iterator[None]:
    """End a command that changes nothing in words: what it could not find out, or Ctrl-C."""
    try:
        yield
    except errors as error:
        console.print(Text(f"  {visible_lines(str(error))}", style="red"), soft_wrap=True)
        raise typer.Exit(FAILED) from None
    except KeyboardInterrupt:
        console.print("  Interrupted. Nothing was changed.")
        raise typer.Exit(INTERRUPTED) from None
