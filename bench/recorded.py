"""A measurement from its conditions to its file in ``results/``, told to whoever waits for it."""

import subprocess
from collections.abc import Callable, Iterator

import typer
from rich.console import Console

from bench.process_tree import CommandFailedError
from bench.record import Conditions, Record, Result
from rehearsal.errors import RehearsalError
from rehearsal.providers.install import PluginUnavailableError
from rehearsal.toolchain import ToolchainError
from tests.chromium import ChromiumError

EXPECTED = (
    ChromiumError,
    CommandFailedError,
    PluginUnavailableError,
    RehearsalError,
    ToolchainError,
    subprocess.CalledProcessError,
)
"""Errors whose message is meant for the user."""

progress = Console(stderr=True, highlight=False)


def recorded(name: str, measure: Callable[[], Result]) -> Record[Result]:
    """Measure, and keep the result as ``results/<name>.json``.

    Raises:
        typer.Exit: it failed; the reason has been printed.

    """
    return recorded_step_by_step(name, lambda: iter((measure(),)))


def recorded_step_by_step(name: str, measure: Callable[[], Iterator[Result]]) -> Record[Result]:
    """Keep each result in place of the one before it; the last is the whole one.

    Raises:
        typer.Exit: it failed; the reason has been printed, and the results before it are kept.

    """
    # Described before: afterwards the load would be the measurement's own.
    conditions = Conditions.current()
    try:
        for result in measure():
            record = Record(conditions=conditions, result=result)
            record.write(name)
    except EXPECTED as error:
        progress.print(str(error), style="red", markup=False, soft_wrap=True)
        raise typer.Exit(1) from None
    return record
