"""``daskfleet images``: what nodes pull for a stack, one per line."""

from typing import Annotated

import typer
from rich.text import Text

from daskfleet.checkout import STACKS_DIR
from daskfleet.consoles import open_console
from daskfleet.options import StackOfFile
from daskfleet.planning.fleet import plan_draft
from daskfleet.platform.images.listed import copies_of, images_of
from daskfleet.settings.problems import StackRefusedError
from daskfleet.settings.stack_file import read_stack_file
from daskfleet.settings.stacks import UnknownStackError, stack_file

REFUSED = 1
"""Exit status when the stack file cannot become a fleet, as `pulumi preview` would say too."""
USAGE = 2

Copies = Annotated[
    bool,
    typer.Option(
        "--copies",
        help="Print what registry.mirror must have: on each line an image and the name of its "
        "copy, for `crane copy`.",
    ),
]


def command(*, stack: StackOfFile = None, copies: Copies = False) -> None:
    """Print the images that a stack's pods run, one per line.

    Reads stacks/Pulumi.<stack>.yaml and the catalog, and nothing else: no credentials, no Pulumi,
    no network. GKE's own images are Google's and not among them.
    Exit status: 0 they were printed, 1 the stack file is refused, 2 it cannot be told which stack
    is meant.
    """
    said = open_console(stderr=True)
    try:
        plan = plan_draft(read_stack_file(stack_file(STACKS_DIR, stack)))
    except UnknownStackError as error:
        said.print(Text(str(error), style="red"), soft_wrap=True)
        raise typer.Exit(USAGE) from None
    except StackRefusedError as refusal:
        said.print(Text(str(refusal), style="red"), soft_wrap=True)
        raise typer.Exit(REFUSED) from None
    images = images_of(plan)
    if copies:
        for each in copies_of(images):
            typer.echo(f"{each.source} {each.pulled}")
    else:
        for each in images:
            typer.echo(each.pulled)
