"""The controller's loop: look at each node, decide, act, and say what was done."""

import logging
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

from in_cluster.gpu_health.apis import UNREAD, Document, KubernetesApi, Schedulers
from in_cluster.gpu_health.decisions import (
    Decision,
    Drain,
    Return,
    Sick,
    decide,
    may_wait,
    sickness,
)
from in_cluster.gpu_health.note import LEFT, NO_NOTE, SICK, Note
from in_cluster.gpu_health.pods import cluster_of, node_of, worker_names, worker_of
from in_cluster.gpu_health.rules import Rules
from in_cluster.gpu_health.signs import missing_gpus
from in_cluster.operator_http.answers import UnansweredError

LOOK_EVERY_S = 10.0

TEAMS_AT_ONCE = 8
"""Whose schedulers are asked at the same time. One that answers slowly takes up to ten seconds for
each question, and the workers of others would stay on a sick GPU meanwhile."""

LOG = logging.getLogger("gpu-health")


class Loop:
    """Keeps what no API knows: since when a node lacks GPUs, and what was said last.

    After a restart that time is counted anew, so nodes are drained later and never too early.
    """

    def __init__(self, api: KubernetesApi, schedulers: Schedulers, rules: Rules) -> None:
        self._api = api
        self._schedulers = schedulers
        self._rules = rules
        self._missing_since: dict[str, datetime] = {}
        self._said: dict[str, str] = {}

    def run(self) -> None:
        """Look for ever."""
        while True:
            self.look(now=datetime.now(tz=UTC))
            time.sleep(LOOK_EVERY_S)

    def look(self, *, now: datetime) -> None:
        """Look at all nodes, then at the workers of those that are drained."""
        try:
            nodes = self._api.nodes()
        except UNREAD as error:
            self._say("nodes", f"the Kubernetes API does not answer: {error!r}")
            return
        self._say("nodes", f"{len(nodes)} with GPUs for workers")
        self._count_missing(nodes, now)
        sick = {
            name: sickness(node, missing_since=self._missing_since.get(name), now=now)
            for node in nodes
            if (name := node["metadata"]["name"])
        }
        decided = decide(nodes, sick, most_drained=self._rules.most_drained_nodes)
        drained = {}
        for node in nodes:
            name = node["metadata"]["name"]
            if note := self._act(node, decided[name], now):
                drained[name] = note
        stays = {name: each for name, each in decided.items() if isinstance(each, Sick)}
        if drained or stays:
            with ThreadPoolExecutor(max_workers=TEAMS_AT_ONCE) as teams:
                looks = [
                    teams.submit(self._look_at_workers, namespace, drained, stays, now)
                    for namespace in self._rules.namespaces
                ]
            for look in looks:
                look.result()

    def _count_missing(self, nodes: Sequence[Document], now: datetime) -> None:
        missing = {node["metadata"]["name"] for node in nodes if missing_gpus(node)}
        self._missing_since = {name: self._missing_since.get(name, now) for name in missing}

    def _act(self, node: Document, decision: Decision, now: datetime) -> Note | None:
        """Do it; return the note of a node whose workers are to go."""
        name = node["metadata"]["name"]
        note = Note.of(node) if node["spec"].get("unschedulable") else None
        because = f" ({decision.because})" if isinstance(decision, Sick) else ""
        if decision.why:
            self._say(name, f"{type(decision).__name__.lower()}: {decision.why}{because}")
        try:
            match decision:
                case Drain():
                    note = Note(since=now, why=decision.why)
                    self._api.keep(node, from_pods=True, note=note.annotations)
                case Return():
                    self._api.keep(node, from_pods=False, note=NO_NOTE)
                    return None
        except UNREAD as error:
            self._say(name, f"it could not be changed: {error!r}")
            return None
        return note

    def _look_at_workers(
        self,
        namespace: str,
        drained: Mapping[str, Note],
        stays: Mapping[str, Sick],
        now: datetime,
    ) -> None:
        """Look at one team; one that cannot be asked holds up no other."""
        try:
            of_clusters: dict[str, list[Document]] = defaultdict(list)
            for pod in self._api.workers(namespace):
                if node_of(pod) in drained:
                    of_clusters[cluster_of(pod)].append(pod)
                elif told := stays.get(node_of(pod)):
                    self._tell_of_stay(pod, told, now)
            for cluster, pods in of_clusters.items():
                self._move(namespace, cluster, pods, drained, now)
        except UNREAD as error:
            self._say(namespace, f"its workers could not be looked at: {error!r}")

    def _move(
        self,
        namespace: str,
        cluster: str,
        pods: Sequence[Document],
        drained: Mapping[str, Note],
        now: datetime,
    ) -> None:
        """Have what workers hold moved, then delete those pods that hold nothing any more."""
        said: str
        try:
            there = self._schedulers.workers(namespace, cluster)
            asked = [name for pod in pods for name in worker_names(pod, there)]
            done = set(
                self._schedulers.retire(namespace, cluster, [there[name] for name in asked])
                if asked
                else []
            )
            said = f"{len(done)} of {len(asked)} retired"
        except UnansweredError as error:
            there, done = None, set()
            said = f"its scheduler does not say what is moved: {error}"
        self._say(f"{namespace}/{cluster}", said)
        for pod in pods:
            holds = there is None or any(name not in done for name in worker_names(pod, there))
            note = drained[node_of(pod)]
            if holds and may_wait(note, now=now):
                continue
            results = (
                "what it held could not be moved in time and is computed again"
                if holds
                else "what it held was moved to other workers"
            )
            message = (
                f"GPU of node {node_of(pod)}: {note.why}. Dask worker {worker_of(pod):.100} was "
                f"retired, {results}. Another one comes up on another node."
            )
            self._api.tell(pod, reason=LEFT, message=message, now=now)
            self._api.delete(pod)

    def _tell_of_stay(self, pod: Document, told: Sick, now: datetime) -> None:
        message = (
            f"GPU of node {node_of(pod)}: {told.why}. The worker stays: {told.because}. "
            "Platform engineers repair the node."
        )
        self._api.tell(pod, reason=SICK, message=message, now=now)

    def _say(self, about: str, news: str) -> None:
        """Log what is new."""
        if self._said.get(about) != news:
            LOG.info("%s: %s", about, news)
            self._said[about] = news
