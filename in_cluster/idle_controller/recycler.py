"""Ends processes that are old or large, one at a time, and notes what began anew."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from .apis import UNANSWERED, DaskApi, Document, Schedulers
from .decisions import Scheduler
from .pods import Pod
from .recycle_note import SchedulerNote, succeeded, worker_note
from .recycling import (
    EndScheduler,
    EndWorker,
    Leave,
    Recycle,
    held,
    next_to_recycle,
    why_not_yet,
)
from .rules import Recycling

UNMOVED_FOR_S = 600
"""Seconds for which a team is left alone after Dask could not move what a worker holds."""

UNREAD_FOR_S = 60
"""The same after its scheduler did not answer: what its processes do, for which it writes an error
into its log each time, or whether a worker may go, which takes as long as there is to move."""


@dataclass(frozen=True, kw_only=True)
class _LastSeen:
    """What a scheduler held when it was asked last."""

    started: datetime
    text: str


@dataclass(frozen=True, kw_only=True)
class _Pause:
    """Until when a team is left alone."""

    until: datetime
    why: str


class Recycler:
    """Keeps what no API knows: what schedulers held when asked last, and who is left alone."""

    def __init__(
        self, api: DaskApi, schedulers: Schedulers, *, say: Callable[[str, str], None]
    ) -> None:
        self._api = api
        self._schedulers = schedulers
        self._say = say
        self._held: dict[str, _LastSeen] = {}
        self._pauses: dict[str, _Pause] = {}

    def look(
        self,
        rule: Recycling,
        cluster: Document,
        group: Document,
        *,
        scheduler: Scheduler | None,
        now: datetime,
    ) -> None:
        """Look at one cluster and end at most one process of it. Raises one of ``UNANSWERED``."""
        metadata = cluster["metadata"]
        name = f"{metadata['namespace']}/{metadata['name']}"
        pods = self._api.pods(cluster)
        started = next((pod.started for pod in pods if pod.worker is None and pod.started), None)
        if started is None:
            self._say(f"{name} recycling", "leave: its scheduler does not run")
            return
        if self._has_noted(name, group, started=started):
            return
        if scheduler is not None:
            self._held[name] = _LastSeen(started=started, text=held(scheduler))
        decision = self._decide(name, rule, cluster, pods=pods, scheduler=scheduler, now=now)
        self._say(f"{name} recycling", f"{type(decision).__name__.lower()}: {decision.why}")
        match decision:
            case EndWorker():
                self._end_worker(name, cluster, group, decision, now)
            case EndScheduler() if scheduler is not None:
                self._end_scheduler(group, decision, scheduler, started=started)

    def _has_noted(self, name: str, group: Document, *, started: datetime) -> bool:
        """Note a scheduler that was not there before."""
        seen = self._held.get(name)
        is_another = seen is not None and seen.started != started
        note = succeeded(
            SchedulerNote.of(group),
            started=started,
            last_held=seen.text if seen and is_another else None,
        )
        if note is None:
            return False
        self._api.scale(group, annotations=note.annotations)
        self._say(f"{name} scheduler", note.text or "its processes are recycled from now on")
        return True

    def _decide(
        self,
        name: str,
        rule: Recycling,
        cluster: Document,
        *,
        pods: Sequence[Pod],
        scheduler: Scheduler | None,
        now: datetime,
    ) -> Recycle:
        pause = self._pauses.get(name)
        if pause and now < pause.until:
            return Leave(why=pause.why)
        why = why_not_yet(rule, pods, scheduler, now=now)
        if why or scheduler is None:
            return Leave(why=why)
        try:
            processes = self._schedulers.ask_closely(
                cluster, with_size=rule.above_memory_percent is not None
            )
        except UNANSWERED as error:
            why = f"its scheduler does not say what its processes do: {error!r:.200}"
            self._pauses[name] = _Pause(until=now + timedelta(seconds=UNREAD_FOR_S), why=why)
            return Leave(why=why)
        return next_to_recycle(rule, pods, scheduler, processes, now=now)

    def _end_worker(
        self, name: str, cluster: Document, group: Document, decision: EndWorker, now: datetime
    ) -> None:
        try:
            is_moved = self._schedulers.retire(cluster, decision.addresses)
        except UNANSWERED as error:  # it goes on, if it has begun
            why = f"{decision.why}, and Dask has not said yet that it may go: {error!r:.200}"
            self._pauses[name] = _Pause(until=now + timedelta(seconds=UNREAD_FOR_S), why=why)
            return
        if not is_moved:
            why = f"{decision.why}, and no other worker can take what it holds"
            self._pauses[name] = _Pause(until=now + timedelta(seconds=UNMOVED_FOR_S), why=why)
            return
        self._api.scale(
            group,
            annotations=worker_note(pod=decision.pod.name, at=now, why=decision.why),
        )

    def _end_scheduler(
        self, group: Document, decision: EndScheduler, scheduler: Scheduler, *, started: datetime
    ) -> None:
        """Note it first: who ends in between has at least said so."""
        note = SchedulerNote(started=started, why=decision.why, held=held(scheduler), ends=True)
        self._api.scale(group, annotations=note.annotations)
        self._api.delete_pod(group["metadata"]["namespace"], decision.pod)
