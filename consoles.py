"""Where commands print for people: as wide as the terminal, and wide enough where there is none."""

import os

from rich.console import Console

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
