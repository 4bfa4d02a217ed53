"""Waiting for the processes of Dask pods, which a stage that goes on has started anew."""

import time
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from rehearsal.control_plane.pods_that_run import LABEL_SELECTORS, has_ended
from rehearsal.kubernetes_requests import connect, listed
from rehearsal.supervisor.record import ClusterRecord, SupervisorRecord

READY_WITHIN_S = 60.0
"""A scheduler takes 1 s and a worker 1 to 4 s, as many at once as there are cores."""

LOOK_EVERY_S = 0.25


def late_pods(supervisor: SupervisorRecord, *, since: datetime) -> tuple[str, ...]:
    """Wait until every pod that runs has been started and is ready; return those that are not."""
    deadline = time.monotonic() + READY_WITHIN_S
    while True:
        late = tuple(name for c in supervisor.clusters if c.dask for name in _late(c, since))
        if not late or time.monotonic() > deadline:
            return late
        time.sleep(LOOK_EVERY_S)


def _late(cluster: ClusterRecord, since: datetime) -> Iterator[str]:
    with connect(cluster.kubeconfig) as client:
        for selector in LABEL_SELECTORS:
            for pod in listed(client, "pods", labels=selector):
                if not has_come_back(pod, since=since):
                    yield f"{pod['metadata']['namespace']}/{pod['metadata']['name']}"


def has_come_back(pod: Mapping[str, Any], *, since: datetime) -> bool:
    """Tell a pod whose processes are new and ready; what it says of earlier ones is not true.

    One that has ended has none, and comes back as it was.
    """
    if has_ended(pod):
        return True
    statuses = pod.get("status", {}).get("containerStatuses", ())
    # Kubernetes tells whole seconds.
    begin = since.replace(microsecond=0)
    return bool(statuses) and all(
        status["ready"] and datetime.fromisoformat(status["state"]["running"]["startedAt"]) >= begin
        for status in statuses
    )
