"""Unit: which process ends next, and what is never ended."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from in_cluster.idle_controller.decisions import Scheduler
from in_cluster.idle_controller.opening_hours import OpeningHours, Window
from in_cluster.idle_controller.pods import Pod
from in_cluster.idle_controller.recycling import (
    EndScheduler,
    EndWorker,
    Leave,
    Processes,
    Worker,
    next_to_recycle,
    why_not_yet,
)
from in_cluster.idle_controller.rules import Recycling

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
"""A Monday."""

WEEK_S = 168 * 3600
GIB = 2**30
WHEN_IDLE = Recycling(after_s=WEEK_S, above_memory_percent=80, hours=None)
ON_MONDAYS = replace(WHEN_IDLE, hours=OpeningHours(windows=(Window(0, 600, 840),), zone="UTC"))
ON_SUNDAYS = replace(WHEN_IDLE, hours=OpeningHours(windows=(Window(6, 600, 840),), zone="UTC"))


def pod(name: str, *, age_h: float, is_ready: bool = True) -> Pod:
    return Pod(
        name=f"{name}-pod",
        uid=f"uid-{name}",
        worker=None if name == "scheduler" else name,
        started=NOW - timedelta(hours=age_h),
        is_ready=is_ready,
        limit_bytes=10 * GIB,
    )


def worker(name: str, *, gib: float = 1, is_busy: bool = False, is_leaving: bool = False) -> Worker:
    return Worker(
        address=f"tcp://{name}:1",
        name=name,
        own_bytes=gib * GIB,
        is_busy=is_busy,
        is_leaving=is_leaving,
    )


SOME = Scheduler(
    idle_since=NOW - timedelta(minutes=1),
    workers=2,
    held_results=2,
    desired_workers=0,
    tasks=3,
    clients=1,
)
NOTHING = replace(SOME, held_results=0, tasks=0, clients=0)
AT_WORK = replace(SOME, idle_since=None)
SCHEDULER = pod("scheduler", age_h=1)
PODS = (pod("a", age_h=200), pod("b", age_h=300), SCHEDULER)
YOUNG = (pod("a", age_h=1), pod("b", age_h=1))
BOTH = Processes(workers=(worker("a"), worker("b")), scheduler_bytes=GIB)


def test_the_oldest_worker_that_is_due_goes_first_and_one_alone() -> None:
    decision = next_to_recycle(WHEN_IDLE, PODS, SOME, BOTH, now=NOW)

    assert decision == EndWorker(
        pod=PODS[1], addresses=("tcp://b:1",), why="b-pod runs for 300.0 h"
    )


@pytest.mark.parametrize(
    ("rule", "scheduler", "why"),
    [
        (WHEN_IDLE, SOME, ""),
        (WHEN_IDLE, None, "its scheduler does not answer"),
        (WHEN_IDLE, AT_WORK, "at work"),
        (WHEN_IDLE, replace(SOME, idle_since=NOW - timedelta(seconds=9)), "at work"),
        (ON_MONDAYS, AT_WORK, ""),
        (ON_SUNDAYS, SOME, "outside of the hours of recycle.when"),
        (replace(WHEN_IDLE, above_memory_percent=None), SOME, ""),
        (
            replace(WHEN_IDLE, after_s=1e7, above_memory_percent=None),
            SOME,
            "no process is due",
        ),
    ],
)
def test_processes_are_looked_at_only_when_one_might_end(
    rule: Recycling, scheduler: Scheduler | None, why: str
) -> None:
    assert why_not_yet(rule, PODS, scheduler, now=NOW) == why


def test_nobody_ends_while_a_pod_is_not_ready() -> None:
    pods = (pod("a", age_h=0, is_ready=False), *PODS[1:])

    assert why_not_yet(WHEN_IDLE, pods, SOME, now=NOW) == "a-pod not ready"


@pytest.mark.parametrize(
    ("workers", "waits_for"),
    [
        ((worker("b"),), "a-pod is not connected"),
        ((worker("a", is_leaving=True), worker("b")), "a-pod hands over what it holds"),
    ],
)
def test_nobody_ends_while_one_is_on_its_way(workers: tuple[Worker, ...], waits_for: str) -> None:
    decision = next_to_recycle(WHEN_IDLE, PODS, SOME, replace(BOTH, workers=workers), now=NOW)

    assert isinstance(decision, Leave)
    assert waits_for in decision.why


def test_in_the_hours_of_the_setting_a_worker_goes_that_runs_nothing_while_others_work() -> None:
    working = replace(BOTH, workers=(worker("a"), worker("b", is_busy=True)))

    decision = next_to_recycle(ON_MONDAYS, PODS, AT_WORK, working, now=NOW)

    assert isinstance(decision, EndWorker)
    assert decision.pod.worker == "a"


def test_a_worker_that_alone_could_hold_a_result_stays_with_it() -> None:
    alone = replace(BOTH, workers=(worker("a"),))
    pods = (PODS[0], SCHEDULER)

    decision = next_to_recycle(WHEN_IDLE, pods, SOME, alone, now=NOW)

    assert isinstance(decision, Leave)
    assert "no other worker could take over" in decision.why
    assert isinstance(next_to_recycle(WHEN_IDLE, pods, NOTHING, alone, now=NOW), EndWorker)


def test_all_workers_of_one_pod_go_together() -> None:
    three = replace(BOTH, workers=(worker("a-0"), worker("a-1"), worker("b")))

    decision = next_to_recycle(WHEN_IDLE, (PODS[0], YOUNG[1], SCHEDULER), SOME, three, now=NOW)

    assert isinstance(decision, EndWorker)
    assert decision.addresses == ("tcp://a-0:1", "tcp://a-1:1")


@pytest.mark.parametrize(
    ("rule", "scheduler", "ends"),
    [
        (WHEN_IDLE, NOTHING, True),
        (WHEN_IDLE, replace(NOTHING, tasks=1), False),
        (WHEN_IDLE, replace(NOTHING, held_results=1), False),
        (WHEN_IDLE, replace(NOTHING, clients=1), False),
        (ON_MONDAYS, replace(NOTHING, clients=1), True),
        (ON_MONDAYS, replace(NOTHING, tasks=1), False),
        (ON_MONDAYS, replace(NOTHING, held_results=1), False),
    ],
)
def test_a_scheduler_ends_only_when_it_would_forget_nothing(
    rule: Recycling, scheduler: Scheduler, *, ends: bool
) -> None:
    pods = (pod("scheduler", age_h=169), *YOUNG)

    decision = next_to_recycle(rule, pods, scheduler, BOTH, now=NOW)

    assert isinstance(decision, EndScheduler if ends else Leave), decision


def test_a_scheduler_that_may_not_go_holds_up_no_worker() -> None:
    pods = (pod("scheduler", age_h=400), *PODS[:2])

    decision = next_to_recycle(WHEN_IDLE, pods, SOME, BOTH, now=NOW)

    assert isinstance(decision, EndWorker)
    assert decision.pod.worker == "b"


@pytest.mark.parametrize(("age_h", "gib", "ends"), [(2, 9, True), (2, 8, False), (0.9, 9, False)])
def test_a_process_is_too_large_an_hour_after_its_start_at_the_earliest(
    age_h: float, gib: float, *, ends: bool
) -> None:
    pods = (pod("a", age_h=age_h), YOUNG[1], SCHEDULER)
    grown = replace(BOTH, workers=(worker("a", gib=gib), worker("b")))

    decision = next_to_recycle(WHEN_IDLE, pods, SOME, grown, now=NOW)

    assert isinstance(decision, EndWorker if ends else Leave), decision
    if ends:
        assert decision.why == "a-pod takes 90 % of its memory limit"


def test_a_large_scheduler_ends_and_one_of_unknown_size_does_not() -> None:
    pods = (pod("scheduler", age_h=2), *YOUNG)
    large = replace(BOTH, scheduler_bytes=9.0 * GIB)

    assert isinstance(next_to_recycle(WHEN_IDLE, pods, NOTHING, large, now=NOW), EndScheduler)
    unknown = replace(BOTH, scheduler_bytes=None)
    decision = next_to_recycle(WHEN_IDLE, pods, NOTHING, unknown, now=NOW)
    assert decision == Leave(why="no process is due")
