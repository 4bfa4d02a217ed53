"""Pure: whether a Dask cluster is as declared, judged by its pods.

The operator's ``status.phase`` says nothing about that: of 20 clusters that came up, 15 stayed
``Pending`` for ever, and ``Running`` was said of clusters whose pods were all pending
(dask-kubernetes 2026.3.0; dask-kubernetes#968). It only steers the operator: writing ``Created``
there makes it create what is missing.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from components.gates.certificate_life import older_than_certificates
from components.gates.node_driver import other_driver
from components.gates.readiness_states import (
    Asleep,
    Creating,
    CreationFailing,
    Incomplete,
    Outdated,
    Ready,
    State,
    Waiting,
)
from daskfleet.contract.dask import COMPONENT_LABEL, GROUP_LABEL
from daskfleet.planning.plan import FIRST_GROUP
from daskfleet.pod_status import (
    KubernetesObject,
    condition_message,
    is_finished,
    why_not_ready,
)
from in_cluster.idle_controller.note import Note

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

    groups: Mapping[str, int] = field(default_factory=dict)
    """Workers of each further DaskWorkerGroup, by its name; ``workers`` are then of the group that
    the operator makes with the cluster."""

    driver: str | None = None
    """NVIDIA driver of its nodes; None where GKE chooses it."""
    certificates_from: str | None = None
    """When its TLS certificates were made, RFC 3339; None without TLS."""

    may_sleep: bool = False
    """Whether all workers may be away because nobody needs them."""


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

    asleep: Note | None = None
    """What the idle controller has noted of the worker group; None while it is awake."""


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
    # Of another number the operator has only to hear, and then there are workers again.
    if observed.asleep and observed.asleep.declared == declared.workers:
        if not declared.may_sleep:
            return Asleep(workers=declared.workers)
        declared = replace(declared, workers=0)
    judged = _to_judge(declared, observed)
    reasons = (
        *(_lost(name) for name in declared.groups if _group(name) not in observed.children),
        *_count_problems(declared, judged),
        *(
            f"pod {pod['metadata']['name']}: {reason}"
            for pod in judged.pods
            if not is_finished(pod) and (reason := _why_not(pod, declared, observed))
        ),
    )
    if reasons:
        return Waiting(reasons=reasons)
    old = _outdated(observed, declared.certificates_from)
    return Outdated(pods=old) if old else Ready()


def _outdated(observed: Observed, certificates_from: str | None) -> tuple[str, ...]:
    if certificates_from is None:
        return ()
    started = {
        pod["metadata"]["name"]: running["startedAt"]
        for pod in observed.pods
        for container in pod.get("status", {}).get("containerStatuses", ())
        if (running := container.get("state", {}).get("running")) and "startedAt" in running
    }
    return older_than_certificates(started, made=certificates_from)


def _group(name: str) -> str:
    return f"DaskWorkerGroup/{name}"


def _lost(name: str) -> str:
    """What to do about a group that somebody deleted; the operator does not restore it."""
    return (
        f"DaskWorkerGroup {name} is gone, but is still in the state. `pulumi up --refresh` "
        f"creates it again"
    )


def _to_judge(declared: Declared, observed: Observed) -> Observed:
    """Leave out an adaptive team's unready workers once enough are ready: some always come."""
    if not declared.is_adaptive:
        return observed
    workers = [pod for pod in observed.pods if _is(pod, "worker", None) and not is_finished(pod)]
    unready = [pod for pod in workers if _why_not(pod, declared, observed)]
    if len(workers) - len(unready) < declared.workers:
        return observed
    return replace(observed, pods=tuple(pod for pod in observed.pods if pod not in unready))


def _why_not(pod: KubernetesObject, declared: Declared, observed: Observed) -> str | None:
    return why_not_ready(pod, image=declared.image, events=observed.events) or other_driver(
        pod, declared=declared.driver, drivers=observed.drivers
    )


def _leaving(cluster: KubernetesObject) -> str:
    """What to do about a cluster that somebody deletes, or an `up` that was ended did."""
    metadata = cluster["metadata"]
    return (
        f"DaskCluster {metadata['name']} is being deleted since {metadata['deletionTimestamp']}, "
        f"but is still in the state. Once it has gone, `pulumi up --refresh` creates it again"
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


def _count_problems(declared: Declared, observed: Observed) -> tuple[str, ...]:
    """Too few or too many pods, with the reason why a pod could not even be made.

    An adaptive team's workers are never too many.
    """
    problems = []
    for component, group, wanted in _wanted(declared):
        pods = [pod for pod in observed.pods if _is(pod, component, group) and not is_finished(pod)]
        is_floor = component == "worker" and declared.is_adaptive
        if len(pods) < wanted or (len(pods) > wanted and not is_floor):
            at_least = "at least " if is_floor else ""
            of_group = f" of {group}" if group else ""
            problems.append(
                f"{len(pods)} of {at_least}{wanted} {component} pods{of_group} exist"
                + _refusal([d for d in observed.deployments if _is(d, component, group)])
            )
    return tuple(problems)


def _wanted(declared: Declared) -> tuple[tuple[str, str | None, int], ...]:
    """Components with their numbers; workers by group where there are several groups."""
    if not declared.groups:
        return (("scheduler", None, 1), ("worker", None, declared.workers))
    groups = {f"{declared.name}-{FIRST_GROUP}": declared.workers, **declared.groups}
    return (
        ("scheduler", None, 1),
        *(("worker", group, workers) for group, workers in groups.items()),
    )


def _is(resource: KubernetesObject, component: str, group: str | None) -> bool:
    labels = resource["metadata"].get("labels", {})
    return labels.get(COMPONENT_LABEL) == component and group in (None, labels.get(GROUP_LABEL))


def _refusal(deployments: Sequence[KubernetesObject]) -> str:
    """Why the API server refused to make a pod: a quota, Pod Security, an admission webhook."""
    for deployment in deployments:
        if message := condition_message(deployment, "ReplicaFailure"):
            return f": {message}"
    return ""
