"""Pure: how far an export reaches, and what a month will have cost when it is over."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from decimal import Decimal

from daskfleet.platform.cost.bill_month import Month, day_of, midnight
from daskfleet.platform.cost.focus import FocusRow

WHOLE_AFTER = timedelta(hours=24)
"""A day whose end lies so far before the newest row is taken as whole. Services report at intervals
of their own, and Google promises none (export-data-bigquery-tables)."""

LATE_AFTER = timedelta(days=3)
"""GKE's cost allocation may need so long to appear (GKE's page of cost allocations)."""

RECENT_DAYS = 7
"""Days that the rest of a month is taken to be like: a week, with its weekend."""


def covered_until(rows: Iterable[FocusRow], *, now: datetime) -> datetime | None:
    """The end of the newest use; None without rows.

    What is billed for a time to come, as a subscription is, does not tell how far the export
    reaches: days that are not over would count as days without cost.
    """
    ends = (row.charge_period_end for row in rows)
    return max((end for end in ends if end <= now), default=None)


def end_of_export(month: Month) -> datetime:
    """How far an export reaches at least that has the whole month."""
    return midnight(month.end) - WHOLE_AFTER


def is_late(until: datetime | None, *, month: Month, now: datetime) -> bool:
    """Whether rows are missing that should be there by now."""
    due = min(now - LATE_AFTER, end_of_export(month))
    return due > midnight(month.first) and (until is None or until < due)


def is_early(*, month: Month, now: datetime) -> bool:
    """Whether a month is so young that nothing needs to be there yet."""
    return now - LATE_AFTER <= midnight(month.first)


def projected(
    rows: Sequence[FocusRow], month: Month, *, until: datetime | None, is_over: bool
) -> Decimal | None:
    """What the month will have cost; None where no whole day tells.

    Args:
        rows: somebody's, all billed in the month.
        month: the month.
        until: how far the whole export reaches.
        is_over: whether the month is; once the export reaches its end, what is billed is its cost.
    """
    if not rows or until is None:
        return None
    billed = billed_usd(rows)
    if is_over and until >= end_of_export(month):
        return billed
    whole_until = min(day_of(until - WHOLE_AFTER), month.end)
    days = min((whole_until - month.first).days, RECENT_DAYS)
    if days < 1:
        return None
    since = whole_until - timedelta(days=days)
    whole = [row for row in rows if day_of(row.charge_period_start) < whole_until]
    per_day = billed_usd(row for row in whole if day_of(row.charge_period_start) >= since) / days
    # Of days that are not whole, what is there already counts where it is more.
    return max(billed, billed_usd(whole) + per_day * (month.end - whole_until).days)


def billed_usd(rows: Iterable[FocusRow]) -> Decimal:
    """The sum of rows whose currency has a rate."""
    return sum((row.usd for row in rows if row.usd is not None), Decimal(0))
