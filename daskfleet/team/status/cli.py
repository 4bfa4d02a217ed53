"""``daskfleet status``: what a team's clusters do and wait for; or those of all teams."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, TypeVar

import typer
from rich.console import RenderableType
from rich.live import Live

from daskfleet.checkout import PROJECT_DIR
from daskfleet.consoles import only_looking, open_console
from daskfleet.options import AsJson, StackOfTeam
from daskfleet.team.status.all_teams import look_at_all
from daskfleet.team.status.look import StatusError, look
from daskfleet.team.status.model import FleetReport, Report, Verdict
from daskfleet.team.status.render import rendered
from daskfleet.team.status.render_all import rendered_fleet

LOOK_AGAIN_AFTER_S = 5.0
EXIT_STATUS = {Verdict.READY: 0, Verdict.ASLEEP: 0, Verdict.NOT_READY: 3, Verdict.UNKNOWN: 1}
"""2 is Typer's for usage, 130 Ctrl-C."""

Told = TypeVar("Told", Report, FleetReport)
Look = Callable[..., None]
"""Takes ``show`` and ``again_after_s``."""


def command(
    team: Annotated[
        str | None, typer.Argument(help="Team to look at; left out, all teams of --stack.")
    ] = None,
    *,
    stack: StackOfTeam = None,
    watch: Annotated[
        bool, typer.Option("--watch", help="Look again every 5 seconds, until Ctrl-C.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Say what a team's pods do, what they wait for, and who uses the cluster.

    Members of the team need a kubeconfig. Platform engineers see all teams of a stack, a line for
    each, when they name none; no scheduler is asked then. Changes nothing, and sends Dask no task,
    so that no team wakes up. It names what it cannot read, and shows the rest. Exit status: 0 the
    fixed clusters are ready or asleep, 3 one is not ready, 1 that could not be found out, 130
    interrupted.
    """
    if watch and as_json:
        raise typer.BadParameter("--watch is for people and --json for programs: leave one out.")
    if team is not None:
        looks = partial(look, PROJECT_DIR, stack=stack, team=team)
        report = _told(looks, rendered, watch=watch, as_json=as_json)
        verdicts = {report.verdict}
    elif stack is not None:
        looks = partial(look_at_all, PROJECT_DIR, stack=stack)
        verdicts = {
            each.verdict
            for each in _told(looks, rendered_fleet, watch=watch, as_json=as_json).teams
        }
    else:
        raise typer.BadParameter("name a team, or with --stack a stack to see all of its teams.")
    if status := max((EXIT_STATUS[each] for each in verdicts), default=0):
        raise typer.Exit(status)


def _told(
    looks: Look, draw: Callable[[Told], RenderableType], *, watch: bool, as_json: bool
) -> Told:
    """Look, print what is seen, and return it."""
    shown: list[Told] = []
    with only_looking(open_console(stderr=True), StatusError):
        if watch:
            _watch(looks, draw, shown)
        else:
            looks(show=shown.append)
    report = shown[-1]
    if as_json:
        typer.echo(report.model_dump_json(indent=2))
    elif not watch:
        open_console().print(draw(report), soft_wrap=False)
    return report


def _watch(looks: Look, draw: Callable[[Told], RenderableType], shown: list[Told]) -> None:
    """Show what is seen until Ctrl-C, which ends as the last look does, once there was one."""
    with Live(console=open_console(), auto_refresh=False) as live:

        def show(report: Told) -> None:
            shown[:] = [report]
            live.update(draw(report), refresh=True)

        try:
            looks(show=show, again_after_s=LOOK_AGAIN_AFTER_S)
        except KeyboardInterrupt:
            if not shown:
                raise
