"""``daskfleet doctor``: what would make the first `pulumi up` fail."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.status import Status
from rich.text import Text

from consoles import open_console
from doctor.look import examine
from doctor.render import render_report
from doctor.stack_settings import read_settings
from settings.stacks import UnknownStackError

PROJECT_DIR = Path(__file__).resolve().parent.parent
WRONG = 3
"""Exit status when something is wrong. 1 says that nothing can be said, 2 is Typer's for usage."""
FAILED = 1
INTERRUPTED = 130


def command(
    *,
    stack: Annotated[
        str | None,
        typer.Option(
            envvar="PULUMI_STACK",
            help="Stack to look at; may be left out where there is only one.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Say what would make `pulumi up` of a stack fail, with the fix, before it is tried.

    Looks at the stack file, credentials, APIs, permissions, quotas, zone, names, tools and the
    state's backend. Writes nothing. Exit status: 0 nothing is wrong, 3 something is, 1 it could
    not be run, 130 interrupted.
    """
    said = open_console(stderr=True)
    try:
        settings = read_settings(PROJECT_DIR / "stacks", stack, os.environ)
        with said.status("") as status:
            report = asyncio.run(
                examine(
                    settings,
                    environment=os.environ,
                    project_dir=PROJECT_DIR,
                    progress=_progress(said, status),
                )
            )
    except UnknownStackError as error:
        said.print(Text(f"  {error}", style="red"), soft_wrap=True)
        raise typer.Exit(FAILED) from None
    except KeyboardInterrupt:
        said.print("  Interrupted. Nothing was changed.")
        raise typer.Exit(INTERRUPTED) from None
    if as_json:
        typer.echo(report.model_dump_json(indent=2))
    else:
        render_report(report, open_console())
    if report.has_wrong:
        raise typer.Exit(WRONG)


def _progress(console: Console, status: Status) -> Callable[[str], None]:
    """Show how far it is: on a terminal in one line, in a log a line for each look-up."""

    def show(activity: str) -> None:
        if console.is_terminal:
            status.update(Text(activity))
        else:
            console.print(Text(f"  {activity}"), soft_wrap=True)

    return show
