"""Kubernetes objects of a Dask cluster as the API server answers them, for tests of readiness."""

from typing import Any

from components.gates.readiness import HANDLER_PROGRESS, Declared, Observed, children_of
from daskfleet.pod_status import KubernetesObject
from in_cluster.idle_controller.note import Note

IMAGE = "nvcr.io/nvidia/rapidsai/base:26.10-cuda12-py3.13"
DECLARED = Declared(name="alpha", namespace="alpha", image=IMAGE, workers=2)


def pod(
    name: str,
    component: str = "worker",
    *,
    image: str = IMAGE,
    ready: bool = True,
    phase: str = "Running",
    scheduled: str | None = None,
    terminating: bool = False,
    containers: list[dict[str, Any]] | None = None,
) -> KubernetesObject:
    """A pod; ``scheduled`` is kube-scheduler's reason why it is not."""
    conditions = [
        {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": scheduled}
        if scheduled
        else {"type": "PodScheduled", "status": "True"},
        {"type": "Ready", "status": str(ready and not scheduled)},
    ]
    return {
        "metadata": {
            "name": name,
            "labels": {"dask.org/component": component},
            **({"deletionTimestamp": "2026-01-01T00:00:00Z"} if terminating else {}),
        },
        "spec": {"nodeName": "node-1", "containers": [{"name": component, "image": image}]},
        "status": {
            "phase": phase,
            "conditions": conditions,
            "containerStatuses": containers or [],
        },
    }


def event(
    about: str, reason: str, message: str, *, kind: str = "Warning", at: str = "2026-01-01"
) -> KubernetesObject:
    """An event about a pod."""
    return {
        "involvedObject": {"name": about},
        "type": kind,
        "reason": reason,
        "message": message,
        "lastTimestamp": at,
    }


def deployment(component: str, *, refusal: str | None = None) -> KubernetesObject:
    """A Deployment; ``refusal`` is why the API server does not let it make a pod."""
    condition = {"type": "ReplicaFailure", "status": "True", "message": refusal}
    return {
        "metadata": {"name": f"alpha-{component}", "labels": {"dask.org/component": component}},
        "status": {"conditions": [condition] if refusal else []},
    }


def observed(
    *pods: KubernetesObject,
    phase: str | None = "Running",
    missing: tuple[str, ...] = (),
    handler_error: str | None = None,
    deleting: bool = False,
    deployments: tuple[KubernetesObject, ...] = (),
    events: tuple[KubernetesObject, ...] = (),
    asleep: Note | None = None,
) -> Observed:
    """What the API server holds of the cluster alpha."""
    noted = f'{{"retries": 1, "message": "{handler_error}"}}'
    return Observed(
        cluster={
            "metadata": {
                "name": "alpha",
                "annotations": {HANDLER_PROGRESS: noted} if handler_error else {},
                **({"deletionTimestamp": "2026-01-01T00:00:00Z"} if deleting else {}),
            },
            "status": {"phase": phase} if phase else {},
        },
        children=frozenset(children_of("alpha")) - set(missing),
        deployments=deployments,
        pods=pods,
        events=events,
        asleep=asleep,
    )


def complete(*extra: KubernetesObject) -> tuple[KubernetesObject, ...]:
    """A scheduler and two workers, all ready, and what else is there."""
    return (pod("s", "scheduler"), pod("w1"), pod("w2"), *extra)
