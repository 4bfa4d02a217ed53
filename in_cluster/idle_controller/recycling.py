"""Pure: which process of a Dask cluster ends next, to begin anew, and what it waits for.

What is held is never lost for it. A worker's results are moved by Dask to other workers before it
goes (``Scheduler.retire_workers``), and nothing runs on it. The scheduler knows all, and another
one nothing, so it goes only when there is nothing to know.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from .decisions import Scheduler
from .opening_hours import opening_at
from .pods import Pod
from .rules import Recycling

LEAST_AGE_S = 3600
"""A process that is too large an hour after its start does not grow: it is that large. Without this
one that needs more than its share would end for ever."""

QUIET_S = 10
"""Seconds without work: between two tasks of one computation there are fewer."""


@dataclass(frozen=True, kw_only=True)
class Worker:
    """A worker process, in its scheduler's words."""

    address: str
    name: str
    own_bytes: float
    """Memory without what it holds for others."""

    is_busy: bool
    is_leaving: bool


@dataclass(frozen=True, kw_only=True)
class Processes:
    """What the scheduler says of its process and those of its workers."""

    workers: tuple[Worker, ...]
    scheduler_bytes: float | None
    """Memory of its process; None where it does not say."""


@dataclass(frozen=True, kw_only=True)
class EndWorker:
    """Let Dask retire the workers of a pod; its container then starts again in its place."""

    pod: Pod
    addresses: tuple[str, ...]
    why: str


@dataclass(frozen=True, kw_only=True)
class EndScheduler:
    """Delete the scheduler's pod; its Deployment makes another one."""

    pod: Pod
    why: str


@dataclass(frozen=True, kw_only=True)
class Leave:
    """End nothing."""

    why: str


Recycle = EndWorker | EndScheduler | Leave


def held(scheduler: Scheduler) -> str:
    """Say what would be lost with a scheduler, as people read it."""
    return (
        f"{_count(scheduler.tasks, 'task')}, {_count(scheduler.held_results, 'result')} in memory, "
        f"{_count(scheduler.clients, 'client')}"
    )


def why_not_yet(
    rule: Recycling, pods: Sequence[Pod], scheduler: Scheduler | None, *, now: datetime
) -> str:
    """Say why no process can end now, before any is looked at closely; nothing when one might."""
    if scheduler is None:
        return "its scheduler does not answer"
    if rule.above_memory_percent is None and not any(_is_old(rule, pod, now) for pod in pods):
        return "no process is due"
    if rule.hours is not None and opening_at(rule.hours, now) is None:
        return "outside of the hours of recycle.when"
    if rule.hours is None and not _is_quiet(scheduler, now):
        return "at work"
    unready = [pod.name for pod in pods if not pod.is_ready]
    return f"{', '.join(unready)} not ready" if unready else ""


def next_to_recycle(
    rule: Recycling,
    pods: Sequence[Pod],
    scheduler: Scheduler,
    processes: Processes,
    *,
    now: datetime,
) -> Recycle:
    """Decide which process ends now.

    Args:
        rule: the team's.
        pods: of the scheduler and all workers.
        scheduler: what the scheduler says of itself.
        processes: what it says of the processes.
        now: the moment.
    """
    due = list(_due(rule, pods, processes, now))
    if not due:
        return Leave(why="no process is due")
    if absent := _absent(pods, processes):
        return Leave(why=f"{due[0][1]}, and {absent}")
    hindrances = []
    # A scheduler takes its workers along: whose turn comes after it has begun anew by then.
    for pod, why in due:
        if hindrance := _hindrance(rule, pod, scheduler, processes):
            hindrances.append(f"{why}, and {hindrance}")
        elif pod.worker is None:
            return EndScheduler(pod=pod, why=why)
        else:
            addresses = tuple(worker.address for worker in _workers_in(pod, processes))
            return EndWorker(pod=pod, addresses=addresses, why=why)
    return Leave(why="; ".join(hindrances))


def _due(
    rule: Recycling, pods: Sequence[Pod], processes: Processes, now: datetime
) -> Iterator[tuple[Pod, str]]:
    """Name what is too old or too large: the scheduler first, then the oldest."""
    running = [(pod, pod.started) for pod in pods if pod.started is not None]
    for pod, started in sorted(running, key=lambda each: (each[0].worker is not None, each[1])):
        age = now - started
        if _is_old(rule, pod, now):
            yield pod, f"{pod.name} runs for {age.total_seconds() / 3600:.1f} h"
        elif rule.above_memory_percent is not None and age >= timedelta(seconds=LEAST_AGE_S):
            percent = _percent(pod, processes)
            if percent is not None and percent > rule.above_memory_percent:
                yield pod, f"{pod.name} takes {percent:.0f} % of its memory limit"


def _is_old(rule: Recycling, pod: Pod, now: datetime) -> bool:
    return (
        rule.after_s is not None
        and pod.started is not None
        and now - pod.started >= timedelta(seconds=rule.after_s)
    )


def _percent(pod: Pod, processes: Processes) -> float | None:
    """Return how much of its limit a pod's processes take; None where that is not known."""
    taken = (
        processes.scheduler_bytes
        if pod.worker is None
        else sum(worker.own_bytes for worker in _workers_in(pod, processes))
    )
    return None if taken is None or not pod.limit_bytes else 100 * taken / pod.limit_bytes


def _is_quiet(scheduler: Scheduler, now: datetime) -> bool:
    idle_since = scheduler.idle_since
    return idle_since is not None and now - idle_since >= timedelta(seconds=QUIET_S)


def _absent(pods: Sequence[Pod], processes: Processes) -> str:
    """Say who is on its way: one alone is, at most."""
    for pod in pods:
        workers = _workers_in(pod, processes)
        if pod.worker is not None and not workers:
            return f"{pod.name} is not connected"
        if any(worker.is_leaving for worker in workers):
            return f"{pod.name} hands over what it holds"
    return ""


def _hindrance(rule: Recycling, pod: Pod, scheduler: Scheduler, processes: Processes) -> str:
    """Say what keeps one process, and no other."""
    if pod.worker is not None:
        workers = _workers_in(pod, processes)
        if any(worker.is_busy for worker in workers):
            return "a task runs on it"
        if scheduler.held_results and len(workers) == len(processes.workers):
            return "no other worker could take over what it holds"
        return ""
    if scheduler.tasks or scheduler.held_results:
        return f"it would forget {held(scheduler)}"
    if scheduler.clients and rule.hours is None:
        return f"{_count(scheduler.clients, 'client')} connected to it would notice"
    return ""


def _workers_in(pod: Pod, processes: Processes) -> list[Worker]:
    """Return a pod's workers; dask-cuda numbers them where there are several in it."""
    return [
        worker
        for worker in processes.workers
        if pod.worker is not None
        and (worker.name == pod.worker or worker.name.startswith(f"{pod.worker}-"))
    ]


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
