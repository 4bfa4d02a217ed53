"""Pure: whether a Dask cluster is as declared, judged by its pods.

The operator's ``status.phase`` says nothing about that: of 20 clusters that came up, 15 stayed
``Pending`` for ever, and ``Running`` was said of clusters whose pods were all pending
(dask-kubernetes 2026.3.0; dask-kubernetes#968). It only steers the operator: writing ``Created``
there makes it create what is missing.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from components.dask_contract import COMPONENT_LABEL
from components.node_driver import other_driver
from components.pod_status import (
    KubernetesObject,
    condition_message,
    is_finished,
    why_not_ready,
)

CREATE_COMPONENTS = "Created"
"""The phase that makes the operator create scheduler, Service and worker group."""

HANDLER_PROGRESS = "kopf.zalando.org/daskcluster_create_components.status.phase"
"""Annotation in which the operator notes that this creation failed and when to retry it. It stays
when the phase moves on, and then holds up the next attempt: whoever writes the phase removes it."""


@dataclass(frozen=True, kw_only=True)
class Declared:
    """What the stack file asks for."""

    name: str
    namespace: str
    image: str
    workers: int
    is_adaptive: bool = False
    """Whether there may be more workers; the operator brings and takes those."""

    driver: str | None = None
    """NVIDIA driver of its nodes; None where GKE chooses it."""


@dataclass(frozen=True, kw_only=True)
class Observed:
    """What the API server holds."""

    cluster: KubernetesObject
    children: frozenset[str]
    """``Kind/name`` of what the operator has made of the cluster."""

    deployments: tuple[KubernetesObject, ...]
    pods: tuple[KubernetesObject, ...]
    events: tuple[KubernetesObject, ...]
    drivers: Mapping[str, str] = field(default_factory=dict)
    """NVIDIA drivers by node, where an installer of ours is on it."""


@dataclass(frozen=True, kw_only=True)
class Ready:
    """The scheduler and all workers are ready."""


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """Pods are on their way, or will never come."""

    reasons: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Creating:
    """The operator is asked to create the cluster's objects and has not done so yet."""

    missing: tuple[str, ...]

    @property
    def reasons(self) -> tuple[str, ...]:
        """Who is waited for."""
        return (f"the Dask operator has not made {', '.join(self.missing)} yet",)


@dataclass(frozen=True, kw_only=True)
class CreationFailing:
    """The operator tries in vain to create the cluster's objects, once a minute, for ever.

    While it does, the cluster cannot be deleted: the operator retries under deletion too, and
    never releases its finalizer.
    """

    error: str

    @property
    def reasons(self) -> tuple[str, ...]:
        """What the operator ran into."""
        return (f"the Dask operator failed: {self.error}",)


@dataclass(frozen=True, kw_only=True)
class Incomplete:
    """Objects are missing and the operator does not care until it is asked to create them."""

    missing: tuple[str, ...]

    @property
    def reasons(self) -> tuple[str, ...]:
        """What is missing."""
        return (f"{', '.join(self.missing)} do not exist",)


NotReady = Waiting | Creating | CreationFailing | Incomplete
State = Ready | NotReady


def children_of(name: str) -> tuple[str, ...]:
    """Return what the operator makes of every DaskCluster."""
    return (
        f"Deployment/{name}-scheduler",
        f"Service/{name}-scheduler",
        f"DaskWorkerGroup/{name}-default",
    )


def assess(declared: Declared, observed: Observed) -> State:
    """Decide what to make of an observation."""
    if "deletionTimestamp" in observed.cluster["metadata"]:
        return Waiting(reasons=(_leaving(observed.cluster),))
    missing = tuple(child for child in children_of(declared.name) if child not in observed.children)
    if missing:
        return _assess_creation(observed.cluster, missing)
    reasons = tuple(
        reason
        for component in _components_to_judge(declared, observed)
        for reason in _problems(component, declared, observed)
    )
    return Waiting(reasons=reasons) if reasons else Ready()


def _components_to_judge(declared: Declared, observed: Observed) -> tuple[str, ...]:
    """Leave the workers out once an adaptive team has enough: more are on their way for ever."""
    ready = [pod for pod in _running(observed, "worker") if not _why_not(pod, declared, observed)]
    if declared.is_adaptive and len(ready) >= declared.workers:
        return ("scheduler",)
    return ("scheduler", "worker")


def _leaving(cluster: KubernetesObject) -> str:
    """What to do about a cluster that somebody deletes, or an `up` that was ended did."""
    metadata = cluster["metadata"]
    return (
        f"DaskCluster {metadata['name']} is being deleted since {metadata['deletionTimestamp']}, "
        "and the state does not know. Once it has gone, `pulumi up --refresh` creates it again"
    )


def _assess_creation(cluster: KubernetesObject, missing: tuple[str, ...]) -> State:
    phase = cluster.get("status", {}).get("phase")
    if phase == CREATE_COMPONENTS and (error := _handler_error(cluster)):
        return CreationFailing(error=error)
    if phase in {None, "", CREATE_COMPONENTS}:
        return Creating(missing=missing)
    return Incomplete(missing=missing)


def _handler_error(cluster: KubernetesObject) -> str | None:
    noted = cluster["metadata"].get("annotations", {}).get(HANDLER_PROGRESS)
    message: str | None = json.loads(noted).get("message") if noted else None
    return message


def _problems(component: str, declared: Declared, observed: Observed) -> tuple[str, ...]:
    """Too few or too many pods, with the reason why one could not even be made, and unready ones.

    An adaptive team's workers are never too many.
    """
    pods = _running(observed, component)
    wanted = declared.workers if component == "worker" else 1
    is_floor = component == "worker" and declared.is_adaptive
    problems = []
    if len(pods) < wanted or (len(pods) > wanted and not is_floor):
        refusal = _refusal([d for d in observed.deployments if _is(d, component)])
        at_least = "at least " if is_floor else ""
        problems.append(f"{len(pods)} of {at_least}{wanted} {component} pods exist{refusal}")
    return (
        *problems,
        *(
            f"pod {pod['metadata']['name']}: {reason}"
            for pod in pods
            if (reason := _why_not(pod, declared, observed))
        ),
    )


def _running(observed: Observed, component: str) -> list[KubernetesObject]:
    return [pod for pod in observed.pods if _is(pod, component) and not is_finished(pod)]


def _why_not(pod: KubernetesObject, declared: Declared, observed: Observed) -> str | None:
    return why_not_ready(pod, image=declared.image, events=observed.events) or other_driver(
        pod, declared=declared.driver, drivers=observed.drivers
    )


def _is(resource: KubernetesObject, component: str) -> bool:
    return bool(resource["metadata"].get("labels", {}).get(COMPONENT_LABEL) == component)


def _refusal(deployments: Sequence[KubernetesObject]) -> str:
    """Why the API server refused to make a pod: a quota, Pod Security, an admission webhook."""
    for deployment in deployments:
        if message := condition_message(deployment, "ReplicaFailure"):
            return f": {message}"
    return ""
