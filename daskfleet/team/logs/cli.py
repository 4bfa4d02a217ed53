"""``daskfleet logs``: what the processes of a team's cluster have written."""

import sys
from typing import Annotated

import typer
from rich.text import Text

from daskfleet.checkout import PROJECT_DIR
from daskfleet.consoles import only_looking, open_console
from daskfleet.options import StackOfTeam
from daskfleet.team.logs.choose import LogsError
from daskfleet.team.logs.read import Asked, Reports, read_logs
from daskfleet.visible import visible, visible_lines

LINES = 200
MOST_LINES = 100_000


def command(
    team: Annotated[str, typer.Argument(help="Team whose logs to read.")],
    of: Annotated[
        str | None,
        typer.Argument(
            metavar="[scheduler|WORKER]",
            help="The scheduler, or a worker by its name in Dask or by its pod's name. Default: "
            "all.",
        ),
    ] = None,
    *,
    stack: StackOfTeam = None,
    previous: Annotated[
        bool,
        typer.Option("--previous", help="Read the log of the process before the last restart."),
    ] = False,
    follow: Annotated[
        bool, typer.Option("--follow", help="Show new lines as they are written, until Ctrl-C.")
    ] = False,
    tail: Annotated[
        int,
        typer.Option(min=0, max=MOST_LINES, help="How many of the last lines of each log to show."),
    ] = LINES,
) -> None:
    """Read the logs of a team's scheduler and workers.

    Members of the team need a kubeconfig. With several logs each line begins with its pod's name.
    On a terminal, characters that could control it are shown as escapes. A file or a pipe gets the
    log as it is. Exit status: 0 a log was read, 1 none could be, 130 interrupted.
    """
    said = open_console(stderr=True)
    steers = is_terminal()

    def line(pod: str, text: str) -> None:
        shown = visible(text.rstrip("\r").expandtabs(4)) if steers else text
        typer.echo(f"{pod} | {shown}" if pod else shown, color=True)  # as it is

    def news(text: str) -> None:
        said.print(Text(f"  {visible_lines(text)}", style="yellow"), soft_wrap=True)

    asked = Asked(team=team, stack=stack, wanted=of, tail=tail, previous=previous, follow=follow)
    with only_looking(said, LogsError):
        read_logs(PROJECT_DIR, asked, Reports(line=line, news=news))


def is_terminal() -> bool:
    """Whether the output goes to a terminal, which characters in a log could control."""
    return sys.stdout.isatty()
