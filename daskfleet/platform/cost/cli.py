"""``daskfleet cost``: what a stack costs, from its file alone; fresh prices; what was billed."""

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from daskfleet.catalog.prices import OWN_FILE, PricesFileError
from daskfleet.checkout import STACKS_DIR
from daskfleet.consoles import open_console
from daskfleet.google_cloud.access import LOGIN, NoAccessError
from daskfleet.google_cloud.asking import AnswerError
from daskfleet.options import AsJson, StackOfFile
from daskfleet.planning.fleet import plan_draft
from daskfleet.planning.plan import FleetPlan
from daskfleet.platform.cost.actual import (
    BILLING_EXPORT,
    AskedWronglyError,
    BillOptions,
    actual_bill,
)
from daskfleet.platform.cost.bill_model import LimitState
from daskfleet.platform.cost.bill_render import render_bill
from daskfleet.platform.cost.document import document_of
from daskfleet.platform.cost.focus import FocusError
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
"""Exit status when Google's prices could not be read, and nothing is written; or when what was
billed cannot be told."""
PASSES = 4
"""Exit status when a month passes a team's ``monthly_budget_usd``, or the fleet's, or will."""

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

Actual = Annotated[
    bool,
    typer.Option(
        "--actual",
        help="Say what Google billed for a month, by team, beside the forecast and each "
        "monthly_budget_usd.",
    ),
]
MonthOption = Annotated[
    str | None,
    typer.Option("--month", help="With --actual: the invoice's month, as 2026-10; else this one."),
]
BillingExport = Annotated[
    str | None,
    typer.Option(
        "--billing-export",
        envvar=BILLING_EXPORT,
        metavar="PROJECT.DATASET.TABLE",
        help="With --actual: BigQuery table of the detailed billing export, which is asked with "
        "your credentials. The query is billed to the stack's project.",
    ),
]
Focus = Annotated[
    Path | None,
    typer.Option(
        "--focus",
        metavar="FILE",
        help="With --actual: CSV file in FOCUS columns that is read in place of an export.",
    ),
]
SaveFocus = Annotated[
    Path | None,
    typer.Option(
        "--save-focus",
        metavar="FILE",
        help="With --actual: write what was read to a CSV file in FOCUS columns.",
    ),
]


def command(
    *,
    stack: StackOfFile = None,
    refresh: Refresh = False,
    actual: Actual = False,
    month: MonthOption = None,
    billing_export: BillingExport = None,
    focus: Focus = None,
    save_focus: SaveFocus = None,
    as_json: AsJson = False,
) -> None:
    """Say what a stack costs, idle and with every pool full, by item and by team.

    Reads stacks/Pulumi.<stack>.yaml, the catalog's list prices and stacks/prices.csv, and nothing
    else: no credentials, no Pulumi, no network. With --refresh it asks Google for its prices
    instead, with --actual for what it billed.
    Exit status: 0 the cost was printed, 1 the stack file is refused, 2 the stack is unclear.
    3: Google's prices could not be read, and nothing was written; or with --actual, what was billed
    cannot be told. 4: with --actual, a month passes a monthly_budget_usd, or will.
    """
    said = open_console(stderr=True)
    options = BillOptions(
        month=month, billing_export=billing_export, focus=focus, save_focus=save_focus
    )
    try:
        _check(refresh=refresh, actual=actual, options=options)
        file = stack_file(STACKS_DIR, stack)
        draft = read_stack_file(file)
        if refresh and draft.stack and not actual:
            _refresh(draft.stack.region, said, as_json=as_json)
            return
        plan = plan_draft(draft)
        name = file.name.removeprefix(PREFIX).removesuffix(SUFFIX)
        if actual:
            _actual(plan, options, name, said, as_json=as_json)
            return
    except (UnknownStackError, AskedWronglyError) as error:
        said.print(Text(str(error), style="red"), soft_wrap=True)
        raise typer.Exit(USAGE) from None
    except StackRefusedError as refusal:
        said.print(Text(str(refusal), style="red"), soft_wrap=True)
        raise typer.Exit(REFUSED) from None
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
    except (AnswerError, PricesFileError, OSError) as error:
        reason = in_short(str(error).rstrip("."), LONGEST_REASON)
        said.print(
            Text(
                f"{file} was not changed: {reason}. Next step: correct that, or try again.", "red"
            ),
            soft_wrap=True,
        )
        raise typer.Exit(NOT_READ) from None
    if as_json:
        typer.echo(done.model_dump_json(indent=2))
    else:
        render_refreshed(done, open_console())


def _check(*, refresh: bool, actual: bool, options: BillOptions) -> None:
    if actual and refresh:
        msg = "--actual and --refresh are two questions. Next step: ask one after the other."
        raise AskedWronglyError(msg)
    if not actual and (options.month or options.focus or options.save_focus):
        msg = "--month, --focus and --save-focus are about the bill. Next step: add --actual."
        raise AskedWronglyError(msg)


def _actual(
    plan: FleetPlan, options: BillOptions, stack: str, said: Console, *, as_json: bool
) -> None:
    try:
        bill = actual_bill(
            plan, options, stack=stack, environment=os.environ, now=datetime.now(tz=UTC)
        )
    except NoAccessError as error:
        said.print(Text(f"Google Cloud: {error}. Next step: {LOGIN}", style="red"), soft_wrap=True)
        raise typer.Exit(NOT_READ) from None
    except (AnswerError, FocusError, OSError) as error:
        reason = in_short(str(error).rstrip("."), LONGEST_REASON)
        what = in_short(str(options.focus or options.billing_export), LONGEST_REASON)
        text = f"{what}: the bill cannot be told: {reason}. Next step: correct that, or try again."
        said.print(Text(text, "red"), soft_wrap=True)
        raise typer.Exit(NOT_READ) from None
    if as_json:
        typer.echo(bill.model_dump_json(indent=2))
    else:
        render_bill(bill, open_console())
    if LimitState.PASSES in bill.states:
        raise typer.Exit(PASSES)
    if LimitState.UNKNOWN in bill.states or not (bill.covered_until or bill.is_early):
        raise typer.Exit(NOT_READ)
