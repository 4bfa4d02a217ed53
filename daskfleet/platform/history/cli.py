"""``daskfleet history``: what each `up` did."""

from typing import Annotated

import typer

from daskfleet.checkout import PROJECT_DIR
from daskfleet.consoles import activity_shown, only_looking, open_console
from daskfleet.options import AsJson, SelectedStack
from daskfleet.platform.history.errors import HistoryError
from daskfleet.platform.history.look import read_history
from daskfleet.platform.history.model import of_team
from daskfleet.platform.history.render import render_history

MOST_DAYS = 3660


def command(
    *,
    stack: SelectedStack = None,
    team: Annotated[str | None, typer.Option(help="Tell what concerns this team alone.")] = None,
    days: Annotated[
        float, typer.Option(min=0, max=MOST_DAYS, help="How far to look back, in days.")
    ] = 7,
    as_json: AsJson = False,
) -> None:
    """Say what each `up` did: whose image changed, for how long who had no scheduler.

    Reads what Pulumi's backend keeps of updates, and the cluster; changes nothing. Exit status: 0
    it is told, what is not known among it; 1 it could not be read, 130 interrupted.
    """
    said = open_console(stderr=True)
    with only_looking(said, HistoryError), activity_shown(said) as progress:
        history = read_history(PROJECT_DIR, stack, days=days, progress=progress)
    if team is not None:
        history = of_team(history, team)
    if as_json:
        typer.echo(history.model_dump_json(indent=2))
    else:
        render_history(history, open_console())
