"""``daskfleet release``: forget a team, and leave all of it running."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from daskfleet.access.errors import AccessError
from daskfleet.access.pulumi_cli import Pulumi
from daskfleet.access.pulumi_state import stack_outputs
from daskfleet.checkout import PROJECT_DIR, STACKS_DIR
from daskfleet.consoles import open_console
from daskfleet.options import SelectedStack
from daskfleet.platform.release_team.errors import ReleaseError
from daskfleet.platform.release_team.let_go import let_go, prepared
from daskfleet.platform.release_team.settings_left import settings_left
from daskfleet.platform.release_team.told import farewell, prospect
from daskfleet.pressure import FAILED, INTERRUPTED
from daskfleet.settings.problems import StackRefusedError
from daskfleet.settings.stacks import UnknownStackError
from daskfleet.visible import visible_lines


def command(
    team: Annotated[str, typer.Argument(help="Team that the fleet lets go.")],
    *,
    stack: SelectedStack = None,
    backup: Annotated[
        Path | None,
        typer.Option(
            help="Where the state is saved first, for you alone to read. Default: "
            "STACK-before-release-of-TEAM-TIME.state.json in the project."
        ),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Release without a question.")] = False,
) -> None:
    """Let a team go: all that it has runs on, and the stack no longer knows it.

    Takes the team's resources out of the stack's state, after saving that. Creates, changes and
    deletes nothing in Google Cloud or Kubernetes, and edits no stack file: it prints the lines
    that have to go. Exit status: 0 released, 1 not released, 130 interrupted.
    """
    said = open_console(stderr=True)
    pulumi = Pulumi(project_dir=PROJECT_DIR, stack=stack)
    told_backup: list[Path] = []
    try:
        release = prepared(pulumi, team)
        name = stack_outputs(release.state)[0]
        left = settings_left(STACKS_DIR, name, team)
        for line in prospect(release, left):
            typer.echo(line)
        if not yes:
            typer.confirm(f"Release team {team} of stack {name}?", abort=True)
        file = backup or PROJECT_DIR / _backup_name(name, team)
        let_go(pulumi, release, backup=file, saved=told_backup.append)
    except (AccessError, ReleaseError, StackRefusedError, UnknownStackError) as error:
        said.print(Text(visible_lines(f"daskfleet release: {error}"), style="red"), soft_wrap=True)
        _tell_backup(told_backup)
        raise typer.Exit(FAILED) from None
    except KeyboardInterrupt:
        said.print(
            "daskfleet release: interrupted. Run it again: it says whether the team is gone."
        )
        _tell_backup(told_backup)
        raise typer.Exit(INTERRUPTED) from None
    for line in farewell(team, left, backup=file, stack=name):
        typer.echo(line)


def _backup_name(stack: str, team: str) -> str:
    time = datetime.now(tz=UTC).strftime("%Y%m%dT%H%M%SZ")
    return f"{stack}-before-release-of-{team}-{time}.state.json"


def _tell_backup(told: list[Path]) -> None:
    for file in told:
        typer.echo(f"The state as it was is in {file}.", err=True)
