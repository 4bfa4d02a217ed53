"""Pure: the hours of a week in which a team's workers are there, and what holds at a moment.

Hours are local times: when clocks change they stay where people expect them. A time that the clock
jumps over counts as if it had not jumped; of one that comes twice the first counts (PEP 495,
``fold=0``).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from itertools import count
from zoneinfo import ZoneInfo

DAY_MIN = 24 * 60
WEEK_MIN = 7 * DAY_MIN
LONGEST = timedelta(days=8)
"""No opening lasts as long: hours that never end are refused in the stack file."""

NEXT = timedelta(days=15)
"""Within it hours begin or end: the clock may jump over all hours of one week, not of two."""


@dataclass(frozen=True, order=True)
class Window:
    """Hours that begin on one day of the week, and may end on the next."""

    day: int
    """0 is Monday."""

    start_min: int
    """Minutes after midnight."""

    end_min: int
    """Minutes after the same midnight; above ``DAY_MIN`` it is on the next day."""


@dataclass(frozen=True, kw_only=True)
class OpeningHours:
    """The hours of every week."""

    windows: tuple[Window, ...]
    zone: str
    """An IANA time zone."""


@dataclass(frozen=True, kw_only=True)
class Opening:
    """One time without interruption, in UTC; its end is no part of it."""

    start: datetime
    end: datetime


def openings(hours: OpeningHours, *, since: datetime, until: datetime) -> Iterator[Opening]:
    """Return all openings that touch the time between two moments, in order, none adjacent."""
    current: Opening | None = None
    for opening in sorted(_unmerged(hours, since, until), key=lambda each: each.start):
        if current and opening.start <= current.end:
            current = Opening(start=current.start, end=max(current.end, opening.end))
            continue
        if current and current.end > since:
            yield current
        if opening.start >= until:
            return
        current = opening
    if current and current.end > since:
        yield current


def opening_at(hours: OpeningHours, now: datetime) -> Opening | None:
    """Return the opening that a moment is in."""
    found = openings(hours, since=now, until=now + timedelta(microseconds=1))
    return next((each for each in found if each.start <= now), None)


def next_change(hours: OpeningHours, now: datetime) -> datetime:
    """Return when the hours begin or end next, after ``now``."""
    first = next(openings(hours, since=now, until=now + NEXT))
    return first.end if first.start <= now else first.start


def _unmerged(hours: OpeningHours, since: datetime, until: datetime) -> Iterator[Opening]:
    zone = ZoneInfo(hours.zone)
    first = (since - LONGEST).astimezone(zone).date()
    last = (until + LONGEST).astimezone(zone).date()
    for days in count():
        date = first + timedelta(days=days)
        if date > last:
            return
        midnight = datetime.combine(date, time(0), tzinfo=zone)
        for window in hours.windows:
            if window.day == date.weekday():
                # Arithmetic within a zone is that of the clock on the wall.
                start = (midnight + timedelta(minutes=window.start_min)).astimezone(UTC)
                end = (midnight + timedelta(minutes=window.end_min)).astimezone(UTC)
                if start < end:
                    yield Opening(start=start, end=end)
