"""Unit: whether workers go, come back, or stay."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from in_cluster.idle_controller.decisions import (
    BOOT_PATIENCE_S,
    CLOSING_PATIENCE_S,
    LEAVING_PATIENCE_S,
    Cluster,
    Decision,
    Forget,
    Scheduler,
    Sleep,
    Stay,
    Steady,
    Wake,
    decide,
    steadied,
)
from in_cluster.idle_controller.note import Note
from in_cluster.idle_controller.opening_hours import OpeningHours, Window
from in_cluster.idle_controller.rules import Rule

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)
"""A Monday."""

NIGHT = datetime(2026, 11, 23, 23, tzinfo=UTC)
OFFICE = OpeningHours(windows=tuple(Window(day, 420, 1200) for day in range(5)), zone="UTC")
AFTER_HALF_AN_HOUR = Rule(namespace="fraud", sleep_after_s=1800, hours=None)
IN_THE_OFFICE = Rule(namespace="fraud", sleep_after_s=None, hours=OFFICE)
BOTH = Rule(namespace="fraud", sleep_after_s=1800, hours=OFFICE)

AWAKE = Cluster(declared=2, replicas=2, note=None)
LONG_AGO = timedelta(hours=3)


def asleep(since: datetime) -> Cluster:
    return Cluster(declared=2, replicas=0, note=Note(since=since, declared=2))


def idle(since: datetime, *, workers: int = 2, held_results: int = 0) -> Scheduler:
    return replace(AT_WORK, idle_since=since, workers=workers, held_results=held_results)


AT_WORK = Scheduler(
    idle_since=None, workers=2, held_results=0, desired_workers=0, tasks=0, clients=0
)
NOBODY = replace(AT_WORK, workers=0)


def decided(
    rule: Rule,
    cluster: Cluster,
    scheduler: Scheduler | None,
    *,
    now: datetime = NOON,
    steady_s: float = 10_800,
) -> Decision:
    workers = scheduler.workers if scheduler else 0
    steady = Steady(workers=workers, since=now - timedelta(seconds=steady_s))
    return decide(rule, cluster, scheduler, steady=steady, now=now)


@pytest.mark.parametrize(("idle_s", "expected"), [(1799, Stay), (1800, Sleep)])
def test_workers_go_after_as_long_without_work_as_the_team_says(
    idle_s: int, expected: type[Decision]
) -> None:
    scheduler = idle(NOON - timedelta(seconds=idle_s))

    assert type(decided(AFTER_HALF_AN_HOUR, AWAKE, scheduler)) is expected


@pytest.mark.parametrize("rule", [AFTER_HALF_AN_HOUR, IN_THE_OFFICE, BOTH])
@given(hours=st.integers(0, 24 * 14))
def test_nobody_goes_while_something_runs(rule: Rule, hours: int) -> None:
    assert isinstance(decided(rule, AWAKE, AT_WORK, now=NOON + timedelta(hours=hours)), Stay)


@pytest.mark.parametrize("now", [NOON, NIGHT])
def test_results_that_somebody_still_wants_keep_the_workers_at_any_hour(now: datetime) -> None:
    scheduler = idle(now - LONG_AGO, held_results=1)

    decision = decided(BOTH, AWAKE, scheduler, now=now)

    assert decision == Stay(why="1 results in memory are still wanted")


def test_a_team_with_hours_alone_stays_for_all_of_them() -> None:
    assert isinstance(decided(IN_THE_OFFICE, AWAKE, idle(NOON - LONG_AGO)), Stay)


@pytest.mark.parametrize("rule", [IN_THE_OFFICE, BOTH])
def test_after_its_hours_a_team_goes_once_nothing_has_run_for_a_while(rule: Rule) -> None:
    recently = idle(NIGHT - timedelta(seconds=CLOSING_PATIENCE_S - 1))
    before = idle(NIGHT - timedelta(seconds=CLOSING_PATIENCE_S))

    assert isinstance(decided(rule, AWAKE, recently, now=NIGHT), Stay)
    assert isinstance(decided(rule, AWAKE, before, now=NIGHT), Sleep)


def test_workers_that_have_just_come_get_their_time_although_the_scheduler_was_idle_before() -> (
    None
):
    scheduler = idle(NOON - LONG_AGO)

    assert isinstance(decided(AFTER_HALF_AN_HOUR, AWAKE, scheduler, steady_s=1799), Stay)
    assert isinstance(decided(AFTER_HALF_AN_HOUR, AWAKE, scheduler, steady_s=1800), Sleep)


def test_workers_that_never_come_are_not_asked_for_for_ever() -> None:
    soon = replace(AFTER_HALF_AN_HOUR, sleep_after_s=60)
    scheduler = idle(NOON - LONG_AGO, workers=0)

    assert isinstance(decided(soon, AWAKE, scheduler, steady_s=BOOT_PATIENCE_S - 1), Stay)
    assert isinstance(decided(soon, AWAKE, scheduler, steady_s=BOOT_PATIENCE_S), Sleep)


def test_a_task_that_waits_brings_workers_back_at_any_hour() -> None:
    waiting = replace(NOBODY, desired_workers=1)

    for now in (NOON, NIGHT):
        decision = decided(BOTH, asleep(now - timedelta(minutes=1)), waiting, now=now)
        assert decision == Wake(why="a task waits for a worker")


def test_workers_that_could_not_be_retired_make_the_team_awake_again() -> None:
    stayed = replace(AT_WORK, workers=1)

    def after(seconds: int) -> Decision:
        fell_asleep = asleep(NOON - timedelta(seconds=seconds))
        return decided(AFTER_HALF_AN_HOUR, fell_asleep, stayed)

    assert isinstance(after(LEAVING_PATIENCE_S - 1), Stay)
    assert after(LEAVING_PATIENCE_S) == Wake(why="1 workers could not be retired")


def test_a_client_that_only_connects_wakes_nobody() -> None:
    assert isinstance(decided(AFTER_HALF_AN_HOUR, asleep(NOON - LONG_AGO), NOBODY), Stay)


def test_the_beginning_of_the_hours_wakes_who_fell_asleep_before_and_nobody_else() -> None:
    at_seven = datetime(2026, 11, 23, 7, tzinfo=UTC)

    assert isinstance(decided(BOTH, asleep(at_seven - LONG_AGO), NOBODY, now=at_seven), Wake)
    assert isinstance(decided(BOTH, asleep(at_seven + LONG_AGO), NOBODY, now=NOON), Stay)


def test_hours_begin_although_the_scheduler_does_not_answer() -> None:
    assert isinstance(decided(IN_THE_OFFICE, asleep(NOON - LONG_AGO * 8), None), Wake)


def test_a_scheduler_that_does_not_answer_is_not_idle() -> None:
    assert isinstance(decided(BOTH, AWAKE, None, now=NIGHT), Stay)


def test_a_number_that_somebody_else_has_written_is_left_to_him() -> None:
    woken = Cluster(declared=2, replicas=1, note=Note(since=NOON, declared=2))
    emptied = Cluster(declared=2, replicas=0, note=None)
    waiting = replace(NOBODY, desired_workers=1)

    assert isinstance(decided(BOTH, woken, NOBODY), Forget)
    assert isinstance(decided(BOTH, emptied, waiting), Stay)


def test_the_time_begins_anew_with_each_worker_that_comes_or_goes() -> None:
    first = steadied(None, workers=1, now=NOON)
    same = steadied(first, workers=1, now=NIGHT)
    other = steadied(same, workers=2, now=NIGHT)

    assert (first.since, same.since, other.since) == (NOON, NOON, NIGHT)
