"""Pure: whether a team's workers go, come back, or stay as they are."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from .note import Note
from .opening_hours import opening_at
from .rules import Rule

CLOSING_PATIENCE_S = 600
"""Seconds without work after which workers go outside of the team's hours. What runs then is never
ended; and who looks at a result before sending the next task is not cut off."""

BOOT_PATIENCE_S = 1800
"""Seconds for which workers may be on their way, on a new GPU node with a first pull
(``Team.ready_timeout_s``). After that, what does not come is not asked for any more."""

LEAVING_PATIENCE_S = 180
"""Seconds in which workers that were let go are gone: their pods have 60 to end. A worker that got
a result to keep in the last moment is not retired, and the operator does not ask twice."""


@dataclass(frozen=True, kw_only=True)
class Cluster:
    """What the Kubernetes API says of a team's Dask cluster."""

    declared: int
    """Workers of the DaskCluster."""

    replicas: int
    """Workers of its worker group."""

    note: Note | None


@dataclass(frozen=True, kw_only=True)
class Scheduler:
    """What the scheduler says of itself."""

    idle_since: datetime | None
    """None: something is running or waiting (distributed, ``Scheduler.check_idle``)."""

    workers: int
    """Workers that are connected."""

    held_results: int
    """Results in the workers' memory that somebody still wants."""

    desired_workers: int
    """More than none without a worker when a task waits (``Scheduler.adaptive_target``)."""

    tasks: int
    """Tasks that it knows, done ones with a result included."""

    clients: int
    """Clients that are connected."""


@dataclass(frozen=True, kw_only=True)
class Steady:
    """For how long the number of connected workers has been what it is."""

    workers: int
    since: datetime


@dataclass(frozen=True, kw_only=True)
class Sleep:
    """Let all workers go."""

    why: str


@dataclass(frozen=True, kw_only=True)
class Wake:
    """Bring the declared workers back."""

    why: str


@dataclass(frozen=True, kw_only=True)
class Forget:
    """Remove the note: the workers are there again."""

    why: str


@dataclass(frozen=True, kw_only=True)
class Stay:
    """Do nothing."""

    why: str


Decision = Sleep | Wake | Forget | Stay


def steadied(before: Steady | None, *, workers: int, now: datetime) -> Steady:
    """Return since when the number of workers is the same; the first look counts as a change."""
    if before and before.workers == workers:
        return before
    return Steady(workers=workers, since=now)


def decide(
    rule: Rule,
    cluster: Cluster,
    scheduler: Scheduler | None,
    *,
    steady: Steady | None,
    now: datetime,
) -> Decision:
    """Decide what becomes of a team's workers.

    Args:
        rule: the team's.
        cluster: its Dask cluster.
        scheduler: its scheduler; None when it does not answer.
        steady: since when as many workers are connected; None when the scheduler never answered.
        now: the moment.
    """
    if cluster.note is not None:
        if cluster.replicas:
            return Forget(why=f"somebody has asked for {cluster.replicas} workers")
        return _asleep(rule, cluster.note, scheduler, steady, now)
    if not cluster.replicas:
        return Stay(why="it has no workers, and not because they sleep")
    if scheduler is None or steady is None:
        return Stay(why="its scheduler does not answer")
    return _awake(rule, scheduler, steady, now)


def _asleep(
    rule: Rule, note: Note, scheduler: Scheduler | None, steady: Steady | None, now: datetime
) -> Decision:
    opening = opening_at(rule.hours, now) if rule.hours else None
    if opening and note.since < opening.start:
        return Wake(why="its hours have begun")
    if scheduler and not scheduler.workers and scheduler.desired_workers:
        return Wake(why="a task waits for a worker")
    if scheduler and scheduler.workers and steady:
        stays_since = max(note.since, steady.since)
        if now - stays_since >= timedelta(seconds=LEAVING_PATIENCE_S):
            return Wake(why=f"{scheduler.workers} workers could not be retired")
    return Stay(why="asleep")


def _awake(rule: Rule, scheduler: Scheduler, steady: Steady, now: datetime) -> Decision:
    if scheduler.idle_since is None:
        return Stay(why="at work")
    if scheduler.held_results:
        # Its workers could not be retired, and Dask would compute what is lost again at once.
        return Stay(why=f"{scheduler.held_results} results in memory are still wanted")
    patience_s = _patience_s(rule, now)
    if patience_s is None:
        return Stay(why="in its hours")
    if not scheduler.workers:
        patience_s = max(patience_s, BOOT_PATIENCE_S)
    quiet_since = max(scheduler.idle_since, steady.since)
    if now - quiet_since < timedelta(seconds=patience_s):
        return Stay(why=f"idle since {quiet_since.astimezone(UTC):%H:%M:%S} UTC")
    return Sleep(why=f"idle for {patience_s:g} s")


def _patience_s(rule: Rule, now: datetime) -> float | None:
    """Return the seconds without work after which workers go; None while they stay anyway."""
    is_closed = rule.hours is not None and opening_at(rule.hours, now) is None
    asked = [
        *([rule.sleep_after_s] if rule.sleep_after_s is not None else []),
        *([CLOSING_PATIENCE_S] if is_closed else []),
    ]
    return min(asked, default=None)
