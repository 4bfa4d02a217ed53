"""What can go wrong in a command, as a message and an exit code."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager

import typer
from rich.console import Console
from rich.text import Text

from daskfleet.pressure import INTERRUPTED, OUTPUT
from rehearsal.control_plane import ControlPlaneError
from rehearsal.engine.engine import EngineFailedError, InterruptedByUserError
from rehearsal.errors import RehearsalError
from rehearsal.providers.install import PluginUnavailableError
from rehearsal.toolchain import ToolchainError
from rehearsal.workspace import Workspace

EXPECTED = (RehearsalError, ToolchainError, ControlPlaneError, PluginUnavailableError, OSError)
"""Errors whose message is meant for the user."""


@contextmanager
def explained(console: Console, workspace: Workspace) -> Iterator[None]:
    """Turn what can go wrong into a message and an exit code; anything else is a bug."""
    try:
        yield
    except InterruptedByUserError as error:
        console.print(
            Text(
                f"\n  {error} Go on with `{workspace.command('up')}`, "
                f"or end it with `{workspace.command('down')}`."
            ),
            soft_wrap=True,
        )
        raise typer.Exit(INTERRUPTED) from None
    except KeyboardInterrupt:
        console.print(
            Text(
                "\n  Interrupted. The same command goes on; "
                f"`{workspace.command('down')}` ends the rehearsal."
            ),
            soft_wrap=True,
        )
        raise typer.Exit(INTERRUPTED) from None
    except EXPECTED as error:
        if isinstance(error, OSError) and error.filename == OUTPUT:
            raise  # not the rehearsal's disk
        console.print(Text(f"\n  {error}{_advice(error)}", style="red"), soft_wrap=True)
        if isinstance(error, EngineFailedError):
            console.print(
                Text(
                    f"  The stage keeps running: `{workspace.command('up')}` goes on, "
                    f"`{workspace.command('down')}` ends it."
                ),
                soft_wrap=True,
            )
        raise typer.Exit(1) from None


def _advice(error: Exception) -> str:
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        return (
            ". The disk is full: a rehearsal needs about 0.3 GB in .rehearsal/, and the toolchain "
            "0.6 GB in the user's cache."
        )
    return ""
