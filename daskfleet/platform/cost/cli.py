"""``daskfleet cost``: what a stack costs, from its file alone."""

from datetime import UTC, datetime

import typer
from rich.text import Text

from daskfleet.checkout import STACKS_DIR
from daskfleet.consoles import open_console
from daskfleet.options import AsJson, StackOfFile
from daskfleet.planning.fleet import plan_draft
from daskfleet.platform.cost.document import document_of
from daskfleet.platform.cost.render import render_cost
from daskfleet.settings.problems import StackRefusedError
from daskfleet.settings.stack_file import read_stack_file
from daskfleet.settings.stacks import PREFIX, SUFFIX, UnknownStackError, stack_file

REFUSED = 1
"""Exit status when the stack file cannot become a fleet, as `pulumi preview` would say too."""
USAGE = 2


def command(
    *,
    stack: StackOfFile = None,
    as_json: AsJson = False,
) -> None:
    """Say what a stack costs, idle and with every pool full, by item and by team.

    Reads stacks/Pulumi.<stack>.yaml and the catalog's list prices, and nothing else: no
    credentials, no Pulumi, no network. Exit status: 0 it was said, 1 the stack file is refused,
    2 it cannot be told which stack is meant.
    """
    said = open_console(stderr=True)
    try:
        file = stack_file(STACKS_DIR, stack)
        plan = plan_draft(read_stack_file(file))
    except UnknownStackError as error:
        said.print(Text(str(error), style="red"), soft_wrap=True)
        raise typer.Exit(USAGE) from None
    except StackRefusedError as refusal:
        said.print(Text(str(refusal), style="red"), soft_wrap=True)
        raise typer.Exit(REFUSED) from None
    name = file.name.removeprefix(PREFIX).removesuffix(SUFFIX)
    document = document_of(plan, stack=name, today=datetime.now(tz=UTC).date())
    if as_json:
        typer.echo(document.model_dump_json(indent=2))
    else:
        render_cost(document, open_console())
