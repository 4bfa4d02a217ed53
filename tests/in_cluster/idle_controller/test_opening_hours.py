"""Unit: when a team's hours begin and end, clocks that change included."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from in_cluster.idle_controller.opening_hours import (
    DAY_MIN,
    OpeningHours,
    Window,
    next_change,
    opening_at,
    openings,
)

OFFICE = OpeningHours(
    windows=tuple(Window(day, 7 * 60, 20 * 60) for day in range(5)), zone="Europe/Amsterdam"
)
ZONES = ("Europe/Amsterdam", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "UTC")

windows = st.builds(
    lambda day, start, length: Window(day, start, start + length),
    st.integers(0, 6),
    st.integers(0, DAY_MIN - 1),
    st.integers(1, DAY_MIN),
)
any_hours = st.builds(
    lambda found, zone: OpeningHours(windows=tuple(sorted(found)), zone=zone),
    st.sets(windows, min_size=1, max_size=4),
    st.sampled_from(ZONES),
)
moments = st.datetimes(
    min_value=datetime(2026, 1, 1),  # noqa: DTZ001 - hypothesis adds the zone
    max_value=datetime(2027, 12, 31),  # noqa: DTZ001
    timezones=st.just(UTC),
)


def moment(text: str) -> datetime:
    """Return a moment in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("now", "state", "then"),
    [
        ("2026-11-23T05:59", "closed", "2026-11-23T06:00"),  # Monday, 6:59 in winter
        ("2026-11-23T06:00", "open", "2026-11-23T19:00"),
        ("2026-11-27T19:00", "closed", "2026-11-30T06:00"),  # Friday evening
        ("2026-07-06T05:00", "open", "2026-07-06T18:00"),  # Monday, 7:00 in summer
        ("2026-03-27T19:00", "closed", "2026-03-30T05:00"),  # over the weekend clocks change
        ("2026-10-23T18:30", "closed", "2026-10-26T06:00"),
    ],
)
def test_hours_are_those_of_the_clock_on_the_wall(now: str, state: str, then: str) -> None:
    assert (state == "open") is (opening_at(OFFICE, moment(now)) is not None)
    assert next_change(OFFICE, moment(now)) == moment(then)


def test_a_night_is_one_opening_over_midnight_and_over_the_end_of_the_week() -> None:
    nights = OpeningHours(windows=(Window(6, 22 * 60, 30 * 60),), zone="UTC")

    opening = opening_at(nights, moment("2026-11-23T03:00"))

    assert opening is not None
    assert (opening.start, opening.end) == (moment("2026-11-22T22:00"), moment("2026-11-23T06:00"))


def test_days_that_touch_are_one_opening_and_nobody_wakes_at_midnight() -> None:
    days = OpeningHours(windows=tuple(Window(day, 0, DAY_MIN) for day in range(5)), zone="UTC")

    assert next_change(days, moment("2026-11-25T12:00")) == moment("2026-11-28T00:00")


def test_a_time_that_the_clock_jumps_over_comes_as_if_it_had_not_jumped() -> None:
    early = OpeningHours(windows=(Window(6, 150, 240),), zone="Europe/Amsterdam")  # 02:30-04:00

    opening = opening_at(early, moment("2026-03-29T01:45"))

    assert opening is not None
    assert (opening.start, opening.end) == (moment("2026-03-29T01:30"), moment("2026-03-29T02:00"))


@pytest.mark.parametrize("start", [120, 150], ids=["all of the hour", "half of it"])
def test_hours_that_the_clock_jumps_over_as_a_whole_do_not_come(start: int) -> None:
    early = OpeningHours(windows=(Window(6, start, 180),), zone="Europe/Amsterdam")
    day = moment("2026-03-29T00:00")

    assert list(openings(early, since=day, until=day + timedelta(days=1))) == []


def test_the_next_hours_are_found_beyond_a_week_in_which_none_come() -> None:
    early = OpeningHours(windows=(Window(6, 120, 180),), zone="Europe/Amsterdam")
    week_before = moment("2026-03-22T00:00")

    assert next_change(early, moment("2026-03-22T12:00")) == moment("2026-04-05T00:00")
    assert [
        each.start
        for each in openings(early, since=week_before, until=week_before + timedelta(days=1))
    ] == [moment("2026-03-22T01:00")]


def test_of_an_hour_that_comes_twice_the_first_counts() -> None:
    early = OpeningHours(windows=(Window(6, 150, 240),), zone="Europe/Amsterdam")

    opening = opening_at(early, moment("2026-10-25T02:00"))

    assert opening is not None
    assert (opening.start, opening.end) == (moment("2026-10-25T00:30"), moment("2026-10-25T03:00"))


@settings(max_examples=60, deadline=None)
@given(hours=any_hours, now=moments)
def test_nothing_changes_before_the_next_change_and_something_does_then(
    hours: OpeningHours, now: datetime
) -> None:
    always = not any(
        opening.end < now + timedelta(days=7)
        for opening in openings(hours, since=now, until=now + timedelta(days=7))
    ) and opening_at(hours, now)
    if always:
        return
    then = next_change(hours, now)
    is_open = opening_at(hours, now) is not None

    assert now < then
    assert (opening_at(hours, then) is not None) is not is_open
    for share in (0.25, 0.5, 0.999):
        between = now + (then - now) * share
        assert (opening_at(hours, between) is not None) is is_open


@settings(max_examples=60, deadline=None)
@given(hours=any_hours, now=moments)
def test_openings_are_in_order_and_apart(hours: OpeningHours, now: datetime) -> None:
    found = list(openings(hours, since=now, until=now + timedelta(days=10)))

    assert all(each.start < each.end for each in found)
    assert all(a.end < b.start for a, b in pairwise(found))
    assert all(each.end > now and each.start < now + timedelta(days=10) for each in found)
