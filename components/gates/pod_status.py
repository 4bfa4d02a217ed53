"""Pure: why a pod is not ready, in the words of whoever holds it up."""

import re
from collections.abc import Sequence
from typing import Any

KubernetesObject = dict[str, Any]
"""An object as the API server answers it."""

SETTLING = {"ContainerCreating", "PodInitializing"}
"""Waiting reasons that only say that the kubelet is at work."""

PREEMPTION_DETAIL = re.compile(r"( no new claims to deallocate,)? preemption: .*")
"""What kube-scheduler adds about pods that it could evict; all pods here have the same priority."""

AUTOSCALER_REASONS = {"TriggeredScaleUp", "NotTriggerScaleUp"}
"""Normal events in which GKE's cluster autoscaler says whether a node will come."""


def why_not_ready(
    pod: KubernetesObject, *, image: str, events: Sequence[KubernetesObject]
) -> str | None:
    """Return why the pod does not count as ready, or None when it does.

    Ready means: the kubelet says so, it runs ``image``, and it is not on its way out.
    """
    if "deletionTimestamp" in pod["metadata"]:
        return "terminating"
    images = {container["image"] for container in pod["spec"]["containers"]}
    if images != {image}:
        return f"runs {', '.join(sorted(images))} instead of {image}"
    scheduled = _condition(pod, "PodScheduled")
    if scheduled.get("status") == "False":
        message = PREEMPTION_DETAIL.sub("", scheduled.get("message") or scheduled["reason"])
        return _with_event(f"not scheduled: {message}", _latest(pod, events, AUTOSCALER_REASONS))
    if is_ready(pod):
        return None
    return _container_problem(pod) or _with_event(
        f"on node {pod['spec'].get('nodeName', '(none yet)')}, not ready",
        _latest(pod, events),
    )


def is_finished(pod: KubernetesObject) -> bool:
    """Whether a pod is what an eviction or a lost Spot node left behind; it was replaced."""
    return pod.get("status", {}).get("phase") in {"Succeeded", "Failed"}


def is_ready(pod: KubernetesObject) -> bool:
    """Whether the kubelet says that the pod is ready."""
    return bool(_condition(pod, "Ready").get("status") == "True")


def condition_message(resource: KubernetesObject, kind: str) -> str | None:
    """Return the message of a condition that holds, if it holds."""
    condition = _condition(resource, kind)
    return condition.get("message") if condition.get("status") == "True" else None


def _condition(resource: KubernetesObject, kind: str) -> dict[str, Any]:
    conditions: list[dict[str, Any]] = resource.get("status", {}).get("conditions") or []
    return next((condition for condition in conditions if condition["type"] == kind), {})


def _container_problem(pod: KubernetesObject) -> str | None:
    status = pod.get("status", {})
    for container in [
        *(status.get("initContainerStatuses") or []),
        *(status.get("containerStatuses") or []),
    ]:
        waiting = container.get("state", {}).get("waiting") or {}
        if waiting and waiting.get("reason") not in SETTLING:
            last = container.get("lastState", {}).get("terminated") or {}
            exit_text = f" (last exit code {last['exitCode']})" if "exitCode" in last else ""
            problem = ": ".join(filter(None, (waiting.get("reason"), waiting.get("message"))))
            return f"container {container['name']}: {problem}{exit_text}"
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
    return max(
        about_pod,
        key=lambda event: event.get("lastTimestamp") or event.get("eventTime") or "",
        default=None,
    )


def _with_event(text: str, event: KubernetesObject | None) -> str:
    return f"{text}; {event['reason']}: {event['message']}" if event else text
