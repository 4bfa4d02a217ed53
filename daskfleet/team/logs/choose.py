"""Pure: whose log is meant."""

from collections.abc import Sequence

from daskfleet.contract.dask import CLUSTER_LABEL, COMPONENT_LABEL
from daskfleet.pod_status import KubernetesObject, containers_of, is_finished, label

SCHEDULER = "scheduler"
DASK = (SCHEDULER, "worker")
MOST_NAMED = 20
"""Pods that a message names."""


class LogsError(Exception):
    """There is no log to be had; the message says why, and what to do."""


def chosen(
    pods: Sequence[KubernetesObject], wanted: str | None, *, team: str, cluster: str
) -> list[KubernetesObject]:
    """Return the pods whose logs are meant, the scheduler's first.

    Args:
        pods: all of the team's namespace.
        wanted: ``scheduler``; a pod, or a worker by its name in Dask, which its pod's begins with;
            None for the scheduler and all workers of the fixed cluster.
        team: the team's name, for messages.
        cluster: the fixed cluster.

    Raises:
        LogsError: there is none of that name.

    """
    fixed = [
        pod
        for pod in pods
        if label(pod, CLUSTER_LABEL) == cluster
        and label(pod, COMPONENT_LABEL) in DASK
        and not is_finished(pod)
    ]
    if wanted is None or wanted == SCHEDULER:
        found = [pod for pod in fixed if wanted in (None, label(pod, COMPONENT_LABEL))]
        missing = f"Dask cluster {cluster} has no pod{f' of its {wanted}' if wanted else ''}."
    else:
        found = [pod for pod in pods if _is_called(pod, wanted)]
        names = sorted(_name(pod) for pod in pods)
        more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
        known = ", ".join(names[:MOST_NAMED]) or "none"
        missing = f"No pod of team {team} is called {wanted}; there are: {known}{more}."
    if not found:
        raise LogsError(f"{missing} `daskfleet status {team}` says what there is.")
    return sorted(found, key=lambda pod: (label(pod, COMPONENT_LABEL), _name(pod)))


def with_an_earlier_run(pods: Sequence[KubernetesObject], *, team: str) -> list[KubernetesObject]:
    """Return those whose process has been restarted.

    Raises:
        LogsError: there is none.

    """
    restarted = [
        pod for pod in pods if any(each.get("restartCount") for each in containers_of(pod))
    ]
    if not restarted:
        raise LogsError(
            f"None of these pods has restarted its process, so there is no earlier log. "
            f"`daskfleet status {team}` shows pods that were replaced."
        )
    return restarted


def _is_called(pod: KubernetesObject, wanted: str) -> bool:
    return _name(pod) == wanted or _name(pod).startswith(f"{wanted}-")


def _name(pod: KubernetesObject) -> str:
    return str(pod["metadata"]["name"])
