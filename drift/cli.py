"""``daskfleet drift``: what runs compared with what is declared."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.status import Status
from rich.text import Text

from consoles import open_console
from drift.errors import DriftError
from drift.look import look
from drift.render import render_report

PROJECT_DIR = Path(__file__).resolve().parent.parent
DRIFTED = 3
"""Exit status when something differs. 1 says that nothing can be said, 2 is Typer's for usage."""
FAILED = 1
INTERRUPTED = 130

app = typer.Typer(help="Compare what runs with what is declared; changes nothing.")


@app.callback(invoke_without_command=True)
def drift(
    *,
    stack: Annotated[
        str | None, typer.Option(help="Stack to look at; else the one that pulumi has selected.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Compare what runs with what the last `pulumi up` declared, and say who owns the difference.

    Changes nothing: no resource, no state, no lock. Exit status: 0 no drift, 3 drift,
    1 it could not be found out, 130 interrupted.
    """
    said = open_console(stderr=True)
    try:
        with said.status("") as status:
            report = look(PROJECT_DIR, stack, progress=_progress(said, status))
    except DriftError as error:
        said.print(Text(f"  {error}", style="red"), soft_wrap=True)
        raise typer.Exit(FAILED) from None
    except KeyboardInterrupt:
        said.print("  Interrupted. Nothing was changed.")
        raise typer.Exit(INTERRUPTED) from None
    if as_json:
        typer.echo(report.model_dump_json(indent=2))
    else:
        render_report(report, open_console())
    if report.has_drifted:
        raise typer.Exit(DRIFTED)


def _progress(console: Console, status: Status) -> Callable[[str], None]:
    """Show what goes on: on a terminal in one line, in a log a line for each phase."""
    phases: set[str] = set()

    def show(activity: str) -> None:
        phase = activity.partition(":")[0]
        if console.is_terminal:
            status.update(Text(activity))
        elif phase not in phases:
            console.print(Text(f"  {phase}"), soft_wrap=True)
        phases.add(phase)

    return show
