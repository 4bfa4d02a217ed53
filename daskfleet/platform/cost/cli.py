"""``daskfleet cost``: what a stack costs, from its file alone, or with fresh list prices."""

import os
from datetime import UTC, datetime
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from daskfleet.catalog.prices import OWN_FILE, PricesFileError
from daskfleet.checkout import STACKS_DIR
from daskfleet.consoles import open_console
from daskfleet.google_cloud.access import LOGIN, NoAccessError
from daskfleet.google_cloud.billing_catalog import CatalogError
from daskfleet.options import AsJson, StackOfFile
from daskfleet.planning.fleet import plan_draft
from daskfleet.platform.cost.document import document_of
from daskfleet.platform.cost.price_changes import render_refreshed
from daskfleet.platform.cost.refresh import refresh_prices
from daskfleet.platform.cost.render import render_cost
from daskfleet.settings.problems import StackRefusedError
from daskfleet.settings.stack_file import read_stack_file
from daskfleet.settings.stacks import PREFIX, SUFFIX, UnknownStackError, stack_file
from daskfleet.visible import in_short

REFUSED = 1
"""Exit status when the stack file cannot become a fleet, as `pulumi preview` would say too."""
USAGE = 2
NOT_READ = 3
"""Exit status when Google's prices could not be read; then nothing is written."""

LONGEST_REASON = 1000
"""Characters of what Google, or a file, says: it goes to a terminal."""

Refresh = Annotated[
    bool,
    typer.Option(
        "--refresh",
        help="Read Google's list prices of the stack's region from its Cloud Billing Catalog API, "
        "with your credentials, write them to stacks/prices.csv, and show what changed.",
    ),
]


def command(
    *,
    stack: StackOfFile = None,
    refresh: Refresh = False,
    as_json: AsJson = False,
) -> None:
    """Say what a stack costs, idle and with every pool full, by item and by team.

    Reads stacks/Pulumi.<stack>.yaml, the catalog's list prices and stacks/prices.csv, and nothing
    else: no credentials, no Pulumi, no network. With --refresh it asks Google instead.
    Exit status: 0 it was said, 1 the stack file is refused, 2 it cannot be told which stack is
    meant. 3: Google's prices could not be read, and nothing was written.
    """
    said = open_console(stderr=True)
    try:
        file = stack_file(STACKS_DIR, stack)
        draft = read_stack_file(file)
        if refresh and draft.stack:
            _refresh(draft.stack.region, said, as_json=as_json)
            return
        plan = plan_draft(draft)
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


def _refresh(region: str, said: Console, *, as_json: bool) -> None:
    file = STACKS_DIR / OWN_FILE.name
    try:
        done = refresh_prices(
            file, region=region, environment=os.environ, today=datetime.now(tz=UTC).date()
        )
    except NoAccessError as error:
        said.print(Text(f"Google Cloud: {error}. Next step: {LOGIN}", style="red"), soft_wrap=True)
        raise typer.Exit(NOT_READ) from None
    except (CatalogError, PricesFileError, OSError) as error:
        reason = in_short(str(error).rstrip("."), LONGEST_REASON)
        said.print(
            Text(f"{file} is as it was: {reason}. Next step: correct that, or try again.", "red"),
            soft_wrap=True,
        )
        raise typer.Exit(NOT_READ) from None
    if as_json:
        typer.echo(done.model_dump_json(indent=2))
    else:
        render_refreshed(done, open_console())
