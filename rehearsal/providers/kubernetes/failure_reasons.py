"""Why a workload does not become ready, from its pods and from the Events about it."""

from collections.abc import Iterator, Sequence

from rehearsal.providers.kubernetes.api import KubernetesApi
from rehearsal.providers.kubernetes.kinds import Kind
from rehearsal.providers.kubernetes.manifest import Manifest, label_selector, lookup
from rehearsal.providers.protocol import ProviderError

_POD = Kind("", "v1", "Pod")
_EVENT = Kind("", "v1", "Event")
_REPLICA_SET = Kind("apps", "v1", "ReplicaSet")
_MOST_REASONS = 10


def failure_reasons(api: KubernetesApi, kind: Kind, live: Manifest) -> tuple[str, ...]:
    """What the cluster says about an unready object, most telling first, without repetition."""
    try:
        pods = _pods(api, kind, live)
        involved = {item["metadata"]["uid"] for item in (live, *pods, *_replica_sets(api, live))}
        warnings = api.select(
            _EVENT, lookup(live, "metadata", "namespace"), fieldSelector="type=Warning"
        )
    except ProviderError as error:
        return (f"nothing more is known: {error}",)
    texts = [
        *condition_problems(live),
        *(text for pod in pods for text in pod_problems(pod)),
        *event_texts(warnings, involved),
    ]
    return tuple(dict.fromkeys(texts))[:_MOST_REASONS]


def condition_problems(live: Manifest) -> Iterator[str]:
    """Conditions by which a controller reports trouble with the object itself."""
    for item in lookup(live, "status", "conditions") or ():
        failing = item.get("type") == "ReplicaFailure" and item.get("status") == "True"
        overdue = item.get("reason") == "ProgressDeadlineExceeded"
        if failing or overdue:
            yield f"{live['kind']} {live['metadata']['name']}: {item.get('message')}"


def pod_problems(pod: Manifest) -> Iterator[str]:
    """What the scheduler and the kubelet say about a pod that is not ready."""
    name = f"pod {pod['metadata']['name']}"
    for item in lookup(pod, "status", "conditions") or ():
        if item.get("type") == "PodScheduled" and item.get("status") == "False":
            yield f"{name}: {item.get('reason')}: {item.get('message')}"
    statuses = [
        *(lookup(pod, "status", "initContainerStatuses") or ()),
        *(lookup(pod, "status", "containerStatuses") or ()),
    ]
    for status in statuses:
        waiting = lookup(status, "state", "waiting") or {}
        ended = lookup(status, "state", "terminated") or {}
        if waiting.get("reason") not in (None, "ContainerCreating", "PodInitializing"):
            said = f": {waiting['message']}" if waiting.get("message") else ""
            yield f"{name}, container {status['name']}: {waiting['reason']}{said}"
        elif ended and ended.get("exitCode") != 0:
            yield f"{name}, container {status['name']}: ended with exit code {ended['exitCode']}"


def event_texts(events: Sequence[Manifest], involved: set[str]) -> Iterator[str]:
    """Events about the objects with these uids, newest first."""
    ours = [event for event in events if lookup(event, "involvedObject", "uid") in involved]
    ours.sort(key=lambda event: str(event.get("lastTimestamp") or event.get("eventTime")))
    for event in reversed(ours):
        about = event["involvedObject"]
        yield f"{about['kind']} {about['name']}: {event.get('reason')}: {event.get('message')}"


def _pods(api: KubernetesApi, kind: Kind, live: Manifest) -> tuple[Manifest, ...]:
    if kind == _POD:
        return (live,)
    selector = lookup(live, "spec", "selector")
    labels = selector.get("matchLabels", selector) if isinstance(selector, dict) else {}
    if not labels:
        return ()
    return api.select(
        _POD, lookup(live, "metadata", "namespace"), labelSelector=label_selector(labels)
    )


def _replica_sets(api: KubernetesApi, live: Manifest) -> Iterator[Manifest]:
    """ReplicaSets of a Deployment: a pod that was never admitted is an Event of its ReplicaSet."""
    if live.get("kind") != "Deployment":
        return
    for item in api.select(_REPLICA_SET, lookup(live, "metadata", "namespace")):
        owners = lookup(item, "metadata", "ownerReferences") or ()
        if any(owner["uid"] == live["metadata"]["uid"] for owner in owners):
            yield item
