"""``daskfleet wake``: a team's workers back, before a task brings them."""

from typing import Annotated

import typer
from rich.text import Text

from daskfleet.checkout import PROJECT_DIR
from daskfleet.consoles import open_console
from daskfleet.options import StackOfTeam
from daskfleet.team.wake.rouse import WakeError, rouse
from daskfleet.visible import visible_lines

NOT_WOKEN = 1


def command(
    team: Annotated[str, typer.Argument(help="Team whose workers sleep.")],
    *,
    stack: StackOfTeam = None,
) -> None:
    """Bring a team's sleeping workers back.

    A task does so by itself, but waits for them. Use this to start them before. Exit status: 0 they
    are starting, or were not asleep, 1 the team could not be woken.
    """
    said = open_console(stderr=True)
    try:
        done = rouse(PROJECT_DIR, stack, team)
    except WakeError as error:
        said.print(Text(f"  {visible_lines(str(error))}", style="red"), soft_wrap=True)
        raise typer.Exit(NOT_WOKEN) from None
    said.print(Text(f"  {done}"), soft_wrap=True)
