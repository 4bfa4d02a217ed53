"""``daskfleet cost --actual``: what Google billed, from its export or from a file of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import httpx

from daskfleet.planning.plan import FleetPlan
from daskfleet.platform.cost.bill import bill_of
from daskfleet.platform.cost.bill_model import Bill
from daskfleet.platform.cost.bill_month import Month, month_named, month_of
from daskfleet.platform.cost.billing_export import TableNameError, query, read_export
from daskfleet.platform.cost.document import document_of
from daskfleet.platform.cost.focus import (
    FocusRow,
    focus_rows,
    read_focus_file,
    write_focus_file,
)

BILLING_EXPORT = "DASKFLEET_BILLING_EXPORT"
"""The variable that names the table, where no option does."""


class AskedWronglyError(Exception):
    """The options do not say whose bill of which month is meant."""


@dataclass(frozen=True, kw_only=True)
class BillOptions:
    """What was given beside ``--actual``."""

    month: str | None
    billing_export: str | None
    focus: Path | None
    save_focus: Path | None


def actual_bill(
    plan: FleetPlan,
    options: BillOptions,
    *,
    stack: str,
    environment: Mapping[str, str],
    now: datetime,
) -> Bill:
    """Read a month's bill and put it beside the forecast.

    Raises:
        AskedWronglyError: the options do not fit; nothing was asked or read.
        NoAccessError: there is no token.
        AnswerError: BigQuery gave no whole answer.
        FocusError: rows are not what they should be.
        OSError: a file cannot be read or written.
    """
    month = _month(options, now)
    rows, bytes_read = _rows(plan, options, month, environment)
    if options.save_focus:
        write_focus_file(options.save_focus, rows)
    return bill_of(
        rows,
        forecast=document_of(plan, stack=stack, today=now.date()),
        stack=plan.stack,
        month=month,
        now=now,
        source=str(options.focus or options.billing_export),
        bytes_read=bytes_read,
    )


def _month(options: BillOptions, now: datetime) -> Month:
    if not (options.focus or options.billing_export):
        msg = (
            f"--actual reads the table that --billing-export or {BILLING_EXPORT} names, or "
            "a file with --focus. Next step: give one of them."
        )
        raise AskedWronglyError(msg)
    try:
        if options.billing_export and not options.focus:
            query(options.billing_export)
        return month_named(options.month, now=now) if options.month else month_of(now)
    except TableNameError as error:
        msg = f"--billing-export: {error}."
        raise AskedWronglyError(msg) from None
    except ValueError as error:
        msg = f"--month: {error}."
        raise AskedWronglyError(msg) from None


def _rows(
    plan: FleetPlan, options: BillOptions, month: Month, environment: Mapping[str, str]
) -> tuple[tuple[FocusRow, ...], int | None]:
    if options.focus:
        return read_focus_file(options.focus), None
    with httpx.Client() as http:
        found = read_export(
            http,
            options.billing_export or "",
            project=plan.stack.project,
            month=month,
            environment=environment,
        )
    return focus_rows(found.rows), found.bytes_read
