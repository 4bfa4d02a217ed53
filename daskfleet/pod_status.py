"""Pure: why a pod is not ready, in the words of whoever holds it up.

Shared by what `pulumi up` waits for and by what members of a team are told.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

KubernetesObject = dict[str, Any]
"""An object as the API server answers it."""

SETTLING = {"ContainerCreating", "PodInitializing"}
"""Waiting reasons that only say that the kubelet is at work."""

PREEMPTION_DETAIL = re.compile(r"( no new claims to deallocate,)? preemption: .*")
"""What kube-scheduler adds about pods that it could evict; all pods here have the same priority."""

AUTOSCALER_REASONS = {"TriggeredScaleUp", "NotTriggerScaleUp", "FailedScaleUp"}
"""Events in which GKE's cluster autoscaler says whether a node will come."""


class Stage(StrEnum):
    """How far a pod has come that is not ready."""

    LEAVING = "leaving"
    WITH_ANOTHER_IMAGE = "with another image"
    WITHOUT_NODE = "without a node"
    CONTAINER_FAILS = "its container fails"
    STARTING = "starting"


@dataclass(frozen=True, kw_only=True)
class Hindrance:
    """What keeps a pod from being ready."""

    stage: Stage
    text: str
    """In the words of whoever holds it up."""

    reason: str = ""
    """One word of Kubernetes' for it: of the event that is quoted, or why the container waits."""


def why_not_ready(
    pod: KubernetesObject, *, image: str, events: Sequence[KubernetesObject]
) -> str | None:
    """Return why the pod does not count as ready, or None when it does."""
    hindrance = hindrance_of(pod, image=image, events=events)
    return hindrance.text if hindrance else None


def hindrance_of(
    pod: KubernetesObject, *, image: str | None, events: Sequence[KubernetesObject]
) -> Hindrance | None:
    """Return what keeps a pod from being ready, or None when it is.

    Ready means: the kubelet says so, it runs ``image``, unless any will do, and it is not on its
    way out.
    """
    if "deletionTimestamp" in pod["metadata"]:
        return Hindrance(stage=Stage.LEAVING, text="terminating")
    images = {container["image"] for container in pod["spec"]["containers"]}
    if image is not None and images != {image}:
        text = f"runs {', '.join(sorted(images))} instead of {image}"
        return Hindrance(stage=Stage.WITH_ANOTHER_IMAGE, text=text)
    scheduled = _condition(pod, "PodScheduled")
    if scheduled.get("status") == "False":
        message = scheduled.get("message") or scheduled.get("reason") or "no reason is given"
        return _with_event(
            Stage.WITHOUT_NODE,
            f"not scheduled: {PREEMPTION_DETAIL.sub('', message)}",
            _latest(pod, events, AUTOSCALER_REASONS),
        )
    if is_ready(pod):
        return None
    return _container_problem(pod) or _with_event(
        Stage.STARTING,
        f"on node {pod['spec'].get('nodeName', '(none yet)')}, not ready",
        _latest(pod, events),
    )


def is_finished(pod: KubernetesObject) -> bool:
    """Whether a pod is what an eviction or a lost Spot node left behind; it was replaced."""
    return pod.get("status", {}).get("phase") in {"Succeeded", "Failed"}


def is_ready(pod_or_node: KubernetesObject) -> bool:
    """Whether the kubelet says that it is ready."""
    return bool(_condition(pod_or_node, "Ready").get("status") == "True")


def ready_since(pod: KubernetesObject) -> str | None:
    """Return since when the pod is ready, RFC 3339; None: it is not, or nothing tells."""
    ready = _condition(pod, "Ready")
    return ready.get("lastTransitionTime") if ready.get("status") == "True" else None


def condition_message(resource: KubernetesObject, kind: str) -> str | None:
    """Return the message of a condition that holds, if it holds."""
    condition = _condition(resource, kind)
    return condition.get("message") if condition.get("status") == "True" else None


def label(resource: KubernetesObject, name: str) -> str:
    """Return a label; empty where there is none."""
    return str((resource["metadata"].get("labels") or {}).get(name, ""))


def containers_of(pod: KubernetesObject) -> list[KubernetesObject]:
    """Return what the kubelet says of the pod's containers, those first that start first."""
    status = pod.get("status", {})
    return [*(status.get("initContainerStatuses") or []), *(status.get("containerStatuses") or [])]


def time_of(event: KubernetesObject) -> str:
    """Return when an event was last seen, RFC 3339; empty where it does not say."""
    return str(event.get("lastTimestamp") or event.get("eventTime") or "")


def _condition(resource: KubernetesObject, kind: str) -> dict[str, Any]:
    conditions: list[dict[str, Any]] = resource.get("status", {}).get("conditions") or []
    return next((condition for condition in conditions if condition["type"] == kind), {})


def _container_problem(pod: KubernetesObject) -> Hindrance | None:
    for container in containers_of(pod):
        waiting = container.get("state", {}).get("waiting") or {}
        if waiting and waiting.get("reason") not in SETTLING:
            last = container.get("lastState", {}).get("terminated") or {}
            exit_text = f" (last exit code {last['exitCode']})" if "exitCode" in last else ""
            problem = ": ".join(filter(None, (waiting.get("reason"), waiting.get("message"))))
            return Hindrance(
                stage=Stage.CONTAINER_FAILS,
                text=f"container {container['name']}: {problem}{exit_text}",
                reason=waiting.get("reason") or "",
            )
    return None


def _latest(
    pod: KubernetesObject, events: Sequence[KubernetesObject], reasons: set[str] | None = None
) -> KubernetesObject | None:
    """Newest event about the pod: a warning, or one with one of the ``reasons``."""
    about_pod = [
        event
        for event in events
        if event["involvedObject"].get("name") == pod["metadata"]["name"]
        and (event.get("reason") in reasons if reasons else event.get("type") == "Warning")
    ]
    return max(about_pod, key=time_of, default=None)


def _with_event(stage: Stage, text: str, event: KubernetesObject | None) -> Hindrance:
    if event is None:
        return Hindrance(stage=stage, text=text)
    reason, message = event.get("reason") or "", event.get("message") or ""
    return Hindrance(stage=stage, text=f"{text}; {reason}: {message}", reason=reason)
