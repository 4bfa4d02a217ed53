"""``daskfleet status``: what a team's clusters do, and what they wait for."""

from typing import Annotated

import typer
from rich.live import Live

from daskfleet.checkout import PROJECT_DIR
from daskfleet.consoles import only_looking, open_console
from daskfleet.options import AsJson, StackOfTeam
from daskfleet.team.status.look import StatusError, look
from daskfleet.team.status.model import Report, Verdict
from daskfleet.team.status.render import rendered

LOOK_AGAIN_AFTER_S = 5.0
EXIT_STATUS = {Verdict.READY: 0, Verdict.ASLEEP: 0, Verdict.NOT_READY: 3, Verdict.UNKNOWN: 1}
"""2 is Typer's for usage, 130 Ctrl-C."""


def command(
    team: Annotated[str, typer.Argument(help="Team to look at.")],
    *,
    stack: StackOfTeam = None,
    watch: Annotated[
        bool, typer.Option("--watch", help="Look again every 5 seconds, until Ctrl-C.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Say what a team's pods do, what they wait for, and who uses the cluster.

    Members of the team need a kubeconfig. Changes nothing, and sends Dask no task, so that nobody
    is woken. What cannot be read is said, and hides nothing else. Exit status: 0 the fixed cluster
    is ready or asleep, 3 it is not ready, 1 that could not be found out, 130 interrupted.
    """
    if watch and as_json:
        raise typer.BadParameter("--watch is for people and --json for programs: leave one out.")
    said = open_console(stderr=True)
    shown: list[Report] = []
    with only_looking(said, StatusError):
        if watch:
            _watch(team, stack, shown)
        else:
            look(PROJECT_DIR, stack=stack, team=team, show=shown.append)
    report = shown[-1]
    if as_json:
        typer.echo(report.model_dump_json(indent=2))
    elif not watch:
        open_console().print(rendered(report), soft_wrap=False)
    if status := EXIT_STATUS[report.verdict]:
        raise typer.Exit(status)


def _watch(team: str, stack: str | None, shown: list[Report]) -> None:
    """Show what is seen until Ctrl-C, which ends as the last look does, once there was one."""
    with Live(console=open_console(), auto_refresh=False) as live:

        def show(report: Report) -> None:
            shown[:] = [report]
            live.update(rendered(report), refresh=True)

        try:
            look(
                PROJECT_DIR,
                stack=stack,
                team=team,
                show=show,
                again_after_s=LOOK_AGAIN_AFTER_S,
            )
        except KeyboardInterrupt:
            if not shown:
                raise
