"""The controller's loop: look at each team, decide, act, and say what was done."""

import logging
import time
from collections.abc import Sequence
from datetime import UTC, datetime

from .apis import UNANSWERED, DaskApi, Document, Schedulers
from .decisions import (
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
from .note import NO_NOTE, Note, replicas_of
from .opening_hours import next_change, opening_at
from .recycler import Recycler
from .rules import Rule

LOOK_EVERY_S = 10.0
LOOKS_PER_SLEEP = 6
"""A team that sleeps after a minute is looked at more often than one that sleeps after an hour."""

SHORTEST_PAUSE_S = 1.0

LOG = logging.getLogger("idle-controller")


def pause_s(rules: Sequence[Rule]) -> float:
    """Return the seconds between two looks."""
    shortest = min((r.sleep_after_s for r in rules if r.sleep_after_s), default=float("inf"))
    return max(SHORTEST_PAUSE_S, min(LOOK_EVERY_S, shortest / LOOKS_PER_SLEEP))


class Loop:
    """Keeps what no API knows: since when as many workers are connected, and what was said last.

    After a restart the time without work is counted anew, so workers go later and never too early.
    """

    def __init__(self, api: DaskApi, schedulers: Schedulers, rules: Sequence[Rule]) -> None:
        self._api = api
        self._schedulers = schedulers
        self._rules = rules
        self._steady: dict[str, Steady] = {}
        self._said: dict[str, str] = {}
        self._recycler = Recycler(api, schedulers, say=self._say)

    def run(self) -> None:
        """Look for ever."""
        while True:
            for rule in self._rules:
                self.look(rule, now=datetime.now(tz=UTC))
            time.sleep(pause_s(self._rules))

    def look(self, rule: Rule, *, now: datetime) -> None:
        """Look at one team; one that cannot be asked holds up no other."""
        try:
            for cluster in self._api.clusters(rule.namespace):
                group = self._api.default_group(cluster)
                if group is not None:
                    self._look_at(rule, cluster, group, now)
        except (*UNANSWERED, OSError) as error:
            self._say(rule.namespace, f"the Kubernetes API does not answer: {error!r}")

    def _look_at(self, rule: Rule, cluster: Document, group: Document, now: datetime) -> None:
        name = f"{rule.namespace}/{cluster['metadata']['name']}"
        scheduler = self._ask(cluster)
        if scheduler is not None:
            before = self._steady.get(name)
            self._steady[name] = steadied(before, workers=scheduler.workers, now=now)
        seen = Cluster(
            declared=replicas_of(cluster), replicas=replicas_of(group), note=Note.of(group)
        )
        decision = decide(rule, seen, scheduler, steady=self._steady.get(name), now=now)
        self._say(name, f"{type(decision).__name__.lower()}: {decision.why}")
        self._act(decision, rule, seen, group, now)
        if rule.recycling and isinstance(decision, Stay):
            self._recycler.look(rule.recycling, cluster, group, scheduler=scheduler, now=now)

    def _act(
        self, decision: Decision, rule: Rule, seen: Cluster, group: Document, now: datetime
    ) -> None:
        match decision:
            case Sleep():
                note = Note(since=now, declared=seen.declared, opens_at=_opens_at(rule, now))
                self._api.scale(group, replicas=0, annotations=note.annotations)
            case Wake():
                self._api.scale(group, replicas=seen.declared, annotations=NO_NOTE)
            case Forget():
                self._api.scale(group, annotations=NO_NOTE)

    def _ask(self, cluster: Document) -> Scheduler | None:
        try:
            return self._schedulers.ask(cluster)
        except UNANSWERED:
            return None

    def _say(self, about: str, news: str) -> None:
        """Log what is new."""
        if self._said.get(about) != news:
            LOG.info("%s: %s", about, news)
            self._said[about] = news


def _opens_at(rule: Rule, now: datetime) -> datetime | None:
    """Return when the team's next hours begin."""
    if rule.hours is None:
        return None
    opening = opening_at(rule.hours, now)
    return next_change(rule.hours, opening.end if opening else now)
