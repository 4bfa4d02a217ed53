"""``daskfleet environment``: an environment that fits a team's scheduler."""

import warnings
from typing import Annotated

import typer

from daskfleet.access.declared_fleet import team_in
from daskfleet.access.errors import AccessError
from daskfleet.access.fleet import fleet_of_team
from daskfleet.client.connect import connect
from daskfleet.consoles import only_looking, open_console
from daskfleet.errors import AsleepWarning, SchedulerAwayError
from daskfleet.team.environment.formats import (
    Format,
    UnusableVersionError,
    checked,
    conda_environment,
    image_commands,
    requirements,
)
from daskfleet.versions import comparable, told_packages

TIMEOUT_S = 60.0


def command(
    team: Annotated[str, typer.Argument(help="Team whose scheduler the environment has to fit.")],
    *,
    form: Annotated[
        Format,
        typer.Option(
            "--format", help="requirements.txt, environment.yml, or how to run the team's image."
        ),
    ] = Format.PIP,
) -> None:
    """Print the environment in which Python is a client of a team's cluster.

    It comes from the scheduler, and has what task graphs need: Python, Dask and the packages that
    pack them. Exit status: 0 it was printed, 1 it is not available, 130 interrupted.
    """
    with only_looking(open_console(stderr=True), AccessError, UnusableVersionError):
        written = _written(team, form)
    typer.echo(written, nl=False)


def _written(team: str, form: Format) -> str:
    if form is Format.IMAGE:
        return image_commands(team_in(fleet_of_team(team).declared, team).image, team=team)
    packages = checked(_of_scheduler(team))
    source = f"What the scheduler of team {team} has."
    if form is Format.CONDA:
        return conda_environment(packages, name=team, source=source)
    return requirements(packages, source=source)


def _of_scheduler(team: str) -> dict[str, str]:
    with warnings.catch_warnings():
        # That they differ is why somebody asks, and asking wakes nobody.
        warnings.simplefilter("ignore", AsleepWarning)
        warnings.filterwarnings("ignore", message="Mismatched versions found")
        with connect(team, timeout_s=TIMEOUT_S, check_versions=False) as client:
            try:
                return comparable(told_packages(client.sync(client.scheduler.versions)))
            except OSError as error:
                raise SchedulerAwayError(
                    f"The scheduler of team {team} does not answer any more: {error}. Try again."
                ) from error
