"""The hours of a week in which a team's workers are there, as a stack file writes them.

``Mon-Fri 07:00-20:00 Europe/Amsterdam``: days, times, and at the end a time zone. Days are one day,
a range, or a list of both; times are a range or a list of ranges; and several pairs of days and
times may follow each other: ``Mon-Thu 07:00-12:30,13:00-20:00 Fri 07:00-16:00 Europe/Amsterdam``.
"""

import re
from functools import cache
from typing import Annotated
from zoneinfo import available_timezones

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

from daskfleet.settings.base import refusal
from in_cluster.idle_controller.opening_hours import DAY_MIN, WEEK_MIN, OpeningHours, Window

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
ALLOWED = 'days, times and a time zone, such as "Mon-Fri 07:00-20:00 Europe/Amsterdam"'
_TIMES = re.compile(r"([01]\d|2[0-3]):([0-5]\d)-(?:([01]\d|2[0-3]):([0-5]\d)|(24):(00))")


@cache
def parse_hours(text: str) -> OpeningHours:
    """Read hours.

    Raises:
        PydanticCustomError: they cannot be read, or say nothing.
    """
    *pairs, zone = text.split() or [""]
    if zone not in available_timezones():
        raise _refused(
            f"{zone or 'Nothing'} is no time zone.",
            "end with a zone of the IANA database, such as Europe/Amsterdam or UTC.",
        )
    if not pairs or len(pairs) % 2:
        raise _refused(
            "Each list of days needs its times.",
            "write days, a space, times, a space, and the zone; no space after a comma.",
        )
    windows = tuple(
        sorted(
            {
                Window(day, start_min, end_min)
                for days, times in zip(pairs[::2], pairs[1::2], strict=True)
                for day in _days(days)
                for start_min, end_min in map(_times, times.split(","))
            }
        )
    )
    if _never_end(windows):
        raise _refused(
            "These hours are the whole week.",
            "leave hours out: without them the workers are always there.",
        )
    return OpeningHours(windows=windows, zone=zone)


def _days(text: str) -> set[int]:
    return {day for part in text.split(",") for day in _range(part)}


def _range(text: str) -> list[int]:
    first, dash, last = text.partition("-")
    start, end = _day(first), _day(last if dash else first)
    return [(start + offset) % len(DAYS) for offset in range((end - start) % len(DAYS) + 1)]


def _day(text: str) -> int:
    if text.capitalize() not in DAYS:
        raise _refused(
            f"{text or 'Nothing'} is no day.", f"write days as {', '.join(DAYS)}, or Mon-Fri."
        )
    return DAYS.index(text.capitalize())


def _times(text: str) -> tuple[int, int]:
    """Return minutes after midnight; an end that is not after its start is on the next day."""
    match = _TIMES.fullmatch(text)
    if match is None:
        raise _refused(
            f"{text or 'Nothing'} is no range of times.", "write times as 07:00-20:00, up to 24:00."
        )
    hour, minute, *end = (int(each) for each in match.groups() if each is not None)
    start_min, end_min = 60 * hour + minute, 60 * end[0] + end[1]
    if start_min == end_min:
        raise _refused(
            f"{text} begins and ends at the same time.",
            "write 00:00-24:00 for a whole day, or correct one of the times.",
        )
    return start_min, end_min if end_min > start_min else end_min + DAY_MIN


def _never_end(windows: tuple[Window, ...]) -> bool:
    """Whether the windows leave no minute of the week out."""
    open_minutes = {
        (DAY_MIN * window.day + minute) % WEEK_MIN
        for window in windows
        for minute in range(window.start_min, window.end_min)
    }
    return len(open_minutes) == WEEK_MIN


def _refused(reason: str, next_step: str) -> PydanticCustomError:
    return refusal(reason, allowed=ALLOWED, next_step=next_step)


def _readable(text: str) -> str:
    parse_hours(text)
    return text


Hours = Annotated[str, AfterValidator(_readable)]
"""Hours of every week: days, times and an IANA time zone."""
