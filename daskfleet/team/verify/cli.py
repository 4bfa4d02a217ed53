"""``daskfleet verify``: does a team's cluster work, and is it what was declared?"""

from pathlib import Path
from typing import Annotated

import typer

from daskfleet.checkout import PROJECT_DIR
from daskfleet.consoles import activity_shown, only_looking, open_console
from daskfleet.options import AsJson, StackOfTeam
from daskfleet.team.verify.errors import VerifyError
from daskfleet.team.verify.look import look
from daskfleet.team.verify.question import Question
from daskfleet.team.verify.render import render_report

CHECK_FAILED = 3
"""Exit status when a check failed. 1 says that nothing can be said, 2 is Typer's for usage."""


def command(
    team: Annotated[
        str | None, typer.Argument(help="Team to look at. With a stack the default is all teams.")
    ] = None,
    *,
    stack: StackOfTeam = None,
    python: Annotated[
        Path | None,
        typer.Option(
            help="For members: the Python of the team's clients, for example of their notebooks. "
            "Default: the Python of this command."
        ),
    ] = None,
    module: Annotated[
        list[str] | None,
        typer.Option(
            help="A module of the team whose objects are in its graphs. May be given again."
        ),
    ] = None,
    address: Annotated[
        str | None,
        typer.Option(
            help="The scheduler's address for this machine, as tcp://HOST:8786; else the team's "
            "own inside of the cluster, and a port-forward elsewhere."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check running clusters through Dask itself and the Kubernetes API.

    Runs tasks of milliseconds, and changes nothing in the cluster. With a stack, a Job in the
    team's namespace asks, and is deleted afterwards. Exit status: 0 every check is ok or was not
    measured, 3 a check failed, 1 the checks could not be run, 130 interrupted.
    """
    said = open_console(stderr=True)
    question = Question(
        stack=stack,
        team=team,
        python=python.absolute() if python else None,
        modules=tuple(module or ()),
        address=address,
    )
    with only_looking(said, VerifyError), activity_shown(said) as progress:
        report = look(PROJECT_DIR, question, progress=progress)
    if as_json:
        typer.echo(report.model_dump_json(indent=2))
    else:
        render_report(report, open_console())
    if report.has_failed:
        raise typer.Exit(CHECK_FAILED)
