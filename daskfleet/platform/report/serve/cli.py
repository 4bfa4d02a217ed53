"""``daskfleet serve``: the page of a running fleet, live on this machine."""

import asyncio
import os
import threading
from typing import Annotated

import typer
from rich.text import Text

from daskfleet.access.interrupts import ended_like_ctrl_c
from daskfleet.checkout import PROJECT_DIR, STACKS_DIR
from daskfleet.consoles import activity_shown, only_looking, open_console
from daskfleet.platform.report.running.gather import Gatherer, GatherError, Place
from daskfleet.platform.report.running.model import FleetView
from daskfleet.platform.report.serve.keeper import Keeper
from daskfleet.platform.report.serve.server import PageServer

PORT = 8790
EVERY_S = 30.0
SHORTEST_S = 5.0
"""A look asks for every pod and event of the fleet."""

LAST_PORT = 65_535


def command(
    *,
    stack: Annotated[str, typer.Option(help="The stack that runs, as pulumi names it.")],
    port: Annotated[
        int, typer.Option(min=0, max=LAST_PORT, help="Port of this machine; 0: a free one.")
    ] = PORT,
    every_s: Annotated[
        float, typer.Option("--every", min=SHORTEST_S, help="Seconds between two looks.")
    ] = EVERY_S,
) -> None:
    """Show the page of `report --stack`, live, to this machine alone, until Ctrl-C.

    Looks again and again, however many look at the page, and changes nothing. Drift and what
    doctor finds are kept for ten minutes. A look that fails leaves the last page, which says how
    old it is. Whoever can use this machine can read the page. Exit status: 1 nothing can be said
    or the port is taken, 130 interrupted.
    """
    said = open_console(stderr=True)
    place = Place(
        stack=stack, project_dir=PROJECT_DIR, stacks_dir=STACKS_DIR, environment=os.environ
    )
    gatherer = Gatherer(place)

    def look() -> FleetView:
        return asyncio.run(gatherer.view())

    keeper = Keeper(look, every_s=every_s)
    with only_looking(said, GatherError, OSError), ended_like_ctrl_c():
        with activity_shown(said) as progress:
            progress("looking for the first time")
            keeper.look_first()
        with PageServer(keeper, port=port) as server:
            open_console().print(Text(f"Stack {stack}: {server.url}"), soft_wrap=True)
            _serve(server, keeper)


def _serve(server: PageServer, keeper: Keeper) -> None:
    """Answer until interrupted; the looks end with it."""
    ended = threading.Event()
    looks = threading.Thread(
        target=keeper.keep_looking, kwargs={"until": ended}, daemon=True, name="looks"
    )
    looks.start()
    try:
        server.serve_forever()
    finally:
        ended.set()
