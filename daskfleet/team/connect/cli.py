"""``daskfleet connect``: a team's cluster at an address of this machine."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from daskfleet.checkout import PROJECT_DIR
from daskfleet.consoles import open_console
from daskfleet.options import StackOfTeam
from daskfleet.team.connect.connection_file import Connection
from daskfleet.team.connect.errors import ConnectError
from daskfleet.team.connect.hold import Asked, Reports, hold
from daskfleet.team.connect.jupyter import Wanted
from daskfleet.visible import visible, visible_lines

NOT_CONNECTED = 1


def command(
    team: Annotated[str, typer.Argument(help="Team whose Dask cluster to connect to.")],
    *,
    stack: StackOfTeam = None,
    file: Annotated[
        Path | None,
        typer.Option(
            help="Where to write the connection. Default: TEAM.connection.json in this folder."
        ),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            min=1, max=65535, help="Local port of the scheduler. Default: 8786, or a free one."
        ),
    ] = None,
    dashboard_port: Annotated[
        int | None,
        typer.Option(
            min=1, max=65535, help="Local port of the dashboard. Default: 8787, or a free one."
        ),
    ] = None,
    jupyter: Annotated[
        bool, typer.Option("--jupyter", help="Hold the team's JupyterLab, too.")
    ] = False,
    jupyter_of: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Hold your own JupyterLab, by its name in the team's `people`.",
        ),
    ] = None,
) -> None:
    """Hold a team's scheduler and dashboard at ports of this machine, until Ctrl-C.

    Prints the line of Python that connects. Members of the team need a kubeconfig, and no stack,
    state or passphrase. The address stays while the scheduler is replaced, a rollout moves to
    another cluster, or the Kubernetes API is away. It says what it waits for. Exit status: 0 ended
    by Ctrl-C or SIGTERM, 1 no connection could be made.
    """
    said = open_console(stderr=True)
    if jupyter and jupyter_of is not None:
        raise typer.BadParameter("Name one of them.", param_hint="--jupyter, --jupyter-of")
    asked = Asked(
        team=team,
        stack=stack,
        file=file,
        port=port,
        dashboard_port=dashboard_port,
        lab=Wanted(person=jupyter_of) if jupyter or jupyter_of is not None else None,
    )
    reports = Reports(progress=_progress(said), connected=_connected(said))
    try:
        hold(PROJECT_DIR, asked, reports)
    except ConnectError as error:
        said.print(Text(f"  {visible_lines(str(error))}", style="red"), soft_wrap=True)
        raise typer.Exit(NOT_CONNECTED) from None
    except KeyboardInterrupt:
        pass
    said.print("  Ended. Nothing answers at the address any more.")


def _progress(console: Console) -> Callable[[str], None]:
    return lambda news: console.print(Text(f"  {visible_lines(news)}"), soft_wrap=True)


def _connected(console: Console) -> Callable[[Connection, Path], None]:
    def show(connection: Connection, file: Path) -> None:
        # What is to be copied goes to standard output alone.
        typer.echo(connection.python)
        versions = {"RAPIDS": connection.rapids, "CUDA": connection.cuda}
        inside = ", ".join(
            f"{name} {v}" for name, v in {**versions, **(connection.packages or {})}.items()
        )
        lines = (
            f"dashboard: {connection.dashboard}",
            f"the client needs the versions of {connection.image} ({inside})",
            f"written to {file} until this command ends: Ctrl-C",
        )
        for line in lines:
            console.print(Text(f"  {visible(line)}"), soft_wrap=True)

    return show
