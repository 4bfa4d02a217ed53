"""Unit: hours as a stack file writes them."""

import pytest

from daskfleet.settings.hours import parse_hours
from daskfleet.settings.loading import parse
from in_cluster.idle_controller.opening_hours import Window
from tests.daskfleet.planning.documents import minimal


@pytest.mark.parametrize(
    ("text", "windows"),
    [
        ("Sat 07:00-20:00 UTC", [(5, 420, 1200)]),
        ("mon,Wed 07:00-20:00 UTC", [(0, 420, 1200), (2, 420, 1200)]),
        ("Sun-Mon 22:00-06:00 UTC", [(0, 1320, 1800), (6, 1320, 1800)]),
        ("Tue 00:00-24:00 UTC", [(1, 0, 1440)]),
        ("Mon 08:00-12:00,13:00-17:00 UTC", [(0, 480, 720), (0, 780, 1020)]),
        ("Mon 08:00-12:00 Tue,Sat 09:00-10:00 UTC", [(0, 480, 720), (1, 540, 600), (5, 540, 600)]),
    ],
)
def test_days_and_times_become_windows(text: str, windows: list[tuple[int, int, int]]) -> None:
    assert parse_hours(text).windows == tuple(Window(*each) for each in windows)


def test_a_week_and_its_zone() -> None:
    hours = parse_hours("Mon-Fri 07:00-20:00 Europe/Amsterdam")

    assert hours.zone == "Europe/Amsterdam"
    assert [window.day for window in hours.windows] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "Nothing is no time zone."),
        ("Mon-Fri 07:00-20:00", "07:00-20:00 is no time zone."),
        ("Mon-Fri 07:00-20:00 CEST", "CEST is no time zone."),
        ("Mon-Fri Europe/Amsterdam", "Each list of days needs its times."),
        ("Europe/Amsterdam", "Each list of days needs its times."),
        ("Monday 07:00-20:00 UTC", "Monday is no day."),
        ("Mon- 07:00-20:00 UTC", "Nothing is no day."),
        ("Mon, 07:00-20:00 UTC", "Nothing is no day."),
        ("Mon 7-20 UTC", "7-20 is no range of times."),
        ("Mon 07:00-24:30 UTC", "07:00-24:30 is no range of times."),
        ("Mon 07:00 UTC", "07:00 is no range of times."),
        ("Mon 07:00-07:00 UTC", "07:00-07:00 begins and ends at the same time."),
        ("Mon-Sun 00:00-24:00 UTC", "These hours are the whole week."),
        ("Mon-Sun 07:00-06:59,06:00-08:00 UTC", "These hours are the whole week."),
    ],
)
def test_what_cannot_be_meant_is_refused_with_the_reason(text: str, reason: str) -> None:
    document = minimal()
    document["teams"][0]["hours"] = text

    (problem,) = parse(document, file="stack").problems

    assert (problem.key, problem.reason) == ("teams[0].hours", reason)
    assert "Europe/Amsterdam" in problem.allowed
    assert problem.next_step.endswith(".")
