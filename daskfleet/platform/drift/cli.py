"""``daskfleet drift``: what runs compared with what is declared."""

import typer

from daskfleet.checkout import PROJECT_DIR
from daskfleet.consoles import activity_shown, only_looking, open_console
from daskfleet.options import AsJson, SelectedStack
from daskfleet.platform.drift.errors import DriftError
from daskfleet.platform.drift.look import look
from daskfleet.platform.drift.render import render_report

DRIFTED = 3
"""Exit status when something differs. 1 says that nothing can be said, 2 is Typer's for usage."""

app = typer.Typer(help="Compare what runs with what is declared. Changes nothing.")


@app.callback(invoke_without_command=True)
def drift(
    *,
    stack: SelectedStack = None,
    as_json: AsJson = False,
) -> None:
    """Compare what runs with what the last `pulumi up` declared, and say who owns the difference.

    Changes nothing: no resource, no state, no lock. Exit status: 0 no drift, 3 drift,
    1 it could not be found out, 130 interrupted.
    """
    said = open_console(stderr=True)
    with only_looking(said, DriftError), activity_shown(said, in_a_log=_phase) as progress:
        report = look(PROJECT_DIR, stack, progress=progress)
    if as_json:
        typer.echo(report.model_dump_json(indent=2))
    else:
        render_report(report, open_console())
    if report.has_drifted:
        raise typer.Exit(DRIFTED)


def _phase(activity: str) -> str:
    """What it is about, without the one thing that it is at."""
    return activity.partition(":")[0]
