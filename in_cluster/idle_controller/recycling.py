"""Pure: which process of a Dask cluster ends next, to begin anew, and what it waits for.

What is held is never lost for it. A worker's results are moved by Dask to other workers before it
goes (``Scheduler.retire_workers``), and nothing runs on it. The scheduler knows all, and another
one nothing, so it goes only when there is nothing to know.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

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
class Held:
    """What would be lost with a scheduler."""

    tasks: int
    results: int
    clients: int

    @property
    def text(self) -> str:
        """Return what people read."""
        return (
            f"{_count(self.tasks, 'task')}, {_count(self.results, 'result')} in memory, "
            f"{_count(self.clients, 'client')}"
        )


@dataclass(frozen=True, kw_only=True)
class Dask:
    """What the scheduler says of itself and its workers."""

    idle_since: datetime | None
    workers: tuple[Worker, ...]
    held: Held
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


def next_to_recycle(
    rule: Recycling, pods: Sequence[Pod], dask: Dask | None, *, now: datetime
) -> Recycle:
    """Decide which process ends now.

    Args:
        rule: the team's.
        pods: of the scheduler and all workers.
        dask: what the scheduler says; None when it does not answer.
        now: the moment.
    """
    if dask is None:
        return Leave(why="its scheduler does not answer")
    due = list(_due(rule, pods, dask, now))
    if not due:
        return Leave(why="no process is due")
    if waits_for := _not_now(rule, pods, dask, now):
        return Leave(why=f"{due[0][1]}; waits for {waits_for}")
    hindrances = []
    # A scheduler takes its workers along: whose turn comes after it has begun anew by then.
    for pod, why in due:
        if hindrance := _hindrance(rule, pod, dask):
            hindrances.append(f"{why}, and {hindrance}")
        elif pod.worker is None:
            return EndScheduler(pod=pod, why=why)
        else:
            addresses = tuple(worker.address for worker in _workers_in(pod, dask))
            return EndWorker(pod=pod, addresses=addresses, why=why)
    return Leave(why="; ".join(hindrances))


def _due(
    rule: Recycling, pods: Sequence[Pod], dask: Dask, now: datetime
) -> Iterator[tuple[Pod, str]]:
    """Name what is too old or too large: the scheduler first, then the oldest."""
    running = [(pod, pod.started) for pod in pods if pod.started is not None]
    for pod, started in sorted(running, key=lambda each: (each[0].worker is not None, each[1])):
        age = now - started
        if rule.after_s is not None and age >= timedelta(seconds=rule.after_s):
            yield pod, f"{pod.name} runs for {age.total_seconds() / 3600:.1f} h"
        elif rule.above_memory_percent is not None and age >= timedelta(seconds=LEAST_AGE_S):
            percent = _percent(pod, dask)
            if percent is not None and percent > rule.above_memory_percent:
                yield pod, f"{pod.name} takes {percent:.0f} % of its memory limit"


def _percent(pod: Pod, dask: Dask) -> float | None:
    """Return how much of its limit a pod's processes take; None where that is not known."""
    taken = (
        dask.scheduler_bytes
        if pod.worker is None
        else sum(worker.own_bytes for worker in _workers_in(pod, dask))
    )
    return None if taken is None or not pod.limit_bytes else 100 * taken / pod.limit_bytes


def _not_now(rule: Recycling, pods: Sequence[Pod], dask: Dask, now: datetime) -> str:
    """Say what nobody's turn comes before."""
    if rule.hours is not None and opening_at(rule.hours, now) is None:
        return "its hours"
    if rule.hours is None and not _is_quiet(dask, now):
        return "work to end"
    unready = [pod.name for pod in pods if not pod.is_ready]
    if unready:
        return f"{', '.join(unready)} to be ready"
    for pod in pods:
        workers = _workers_in(pod, dask)
        if pod.worker is not None and not workers:
            return f"{pod.name} to connect"
        if any(worker.is_leaving for worker in workers):
            return f"{pod.name} to hand over what it holds"
    return ""


def _is_quiet(dask: Dask, now: datetime) -> bool:
    return dask.idle_since is not None and now - dask.idle_since >= timedelta(seconds=QUIET_S)


def _hindrance(rule: Recycling, pod: Pod, dask: Dask) -> str:
    """Say what keeps one process, and no other."""
    if pod.worker is not None:
        if any(worker.is_busy for worker in _workers_in(pod, dask)):
            return "a task runs on it"
        if dask.held.results and len(_workers_in(pod, dask)) == len(dask.workers):
            return "no other worker could take over what it holds"
        return ""
    if dask.held.tasks or dask.held.results:
        return f"it would forget {dask.held.text}"
    if dask.held.clients and rule.hours is None:
        return f"{_count(dask.held.clients, 'client')} connected to it would notice"
    return ""


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _workers_in(pod: Pod, dask: Dask) -> list[Worker]:
    """Return a pod's workers; dask-cuda numbers them where there are several in it."""
    return [
        worker
        for worker in dask.workers
        if pod.worker is not None
        and (worker.name == pod.worker or worker.name.startswith(f"{pod.worker}-"))
    ]
