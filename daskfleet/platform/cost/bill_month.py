"""A month of Google's invoices: its days begin and end at midnight in California."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

ZONE = ZoneInfo("America/Los_Angeles")
"""Google's view of FOCUS counts invoice months in it."""

MONTH = re.compile(r"(20[0-9]{2})-(0[1-9]|1[0-2])", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class Month:
    """One of them."""

    first: date

    @property
    def name(self) -> str:
        """As people write it: ``2026-10``."""
        return self.first.strftime("%Y-%m")

    @property
    def invoice(self) -> str:
        """As ``invoice.month`` has it: ``202610``."""
        return self.first.strftime("%Y%m")

    @property
    def end(self) -> date:
        """The first day after it."""
        return (self.first + timedelta(days=31)).replace(day=1)

    def has(self, moment: datetime) -> bool:
        """Whether a moment is in it."""
        return self.first <= day_of(moment) < self.end


def day_of(moment: datetime) -> date:
    """The day on which Google bills a moment."""
    return moment.astimezone(ZONE).date()


def month_of(moment: datetime) -> Month:
    """The month of a moment."""
    return Month(first=day_of(moment).replace(day=1))


def month_named(text: str, *, now: datetime) -> Month:
    """The month that somebody means.

    Raises:
        ValueError: it is none, or has not begun.
    """
    found = MONTH.fullmatch(text)
    if not found:
        msg = "a month is written as 2026-10"
        raise ValueError(msg)
    month = Month(first=date(int(found[1]), int(found[2]), 1))
    if month.first > day_of(now):
        msg = f"{month.name} has not begun"
        raise ValueError(msg)
    return month


def midnight(day: date) -> datetime:
    """When a day begins."""
    return datetime(day.year, day.month, day.day, tzinfo=ZONE).astimezone(UTC)
