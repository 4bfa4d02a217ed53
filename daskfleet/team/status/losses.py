"""Pure: which pods and processes ended of late, and why."""

from collections.abc import Iterator, Sequence

from daskfleet.pod_status import KubernetesObject, containers_of, is_finished, time_of
from daskfleet.team.status.model import Loss
from in_cluster.gpu_health.note import LEFT

MOST = 10
"""Losses that are told."""

OF_PODS = {"Evicted", "Preempted", "TaintManagerEviction", "NodeNotReady", LEFT}
"""Events about pods that are gone by now: kubelet, kube-scheduler, and the controllers of nodes."""

CANCELLED = "Cancelling deletion"
"""So begins the taint manager's event of a pod that stays after all."""

DISRUPTED = "DisruptionTarget"
"""Condition of a pod that something outside of it has ended."""

SIGKILL_STATUS = 137


def losses(
    pods: Sequence[KubernetesObject], events: Sequence[KubernetesObject]
) -> tuple[Loss, ...]:
    """Return what ended, the newest first."""
    found = [loss for pod in pods for loss in _of_pod(pod)]
    told = {loss.pod for loss in found}
    found += [loss for loss in _of_events(events) if loss.pod not in told]
    return tuple(sorted(found, key=lambda loss: loss.at, reverse=True)[:MOST])


def _of_pod(pod: KubernetesObject) -> Iterator[Loss]:
    name = pod["metadata"]["name"]
    if is_finished(pod):
        if pod["status"]["phase"] == "Failed":
            yield Loss(at=_ended_at(pod), pod=name, why=_why_failed(pod))
        return
    for condition in pod.get("status", {}).get("conditions") or []:
        if condition["type"] == DISRUPTED and condition["status"] == "True":
            why = _sentence(condition.get("reason"), condition.get("message"))
            yield Loss(at=condition.get("lastTransitionTime") or "", pod=name, why=why)
    for container in containers_of(pod):
        for when in ("lastState", "state"):
            if ended := (container.get(when) or {}).get("terminated"):
                why = _why_ended(ended, limit=_memory_limit(pod, container["name"]))
                if ended.get("exitCode") != 0 or container.get("restartCount"):
                    yield Loss(at=ended.get("finishedAt") or "", pod=name, why=why)


def _why_ended(ended: KubernetesObject, *, limit: str | None) -> str:
    """Say why a container ended."""
    if ended.get("reason") == "OOMKilled":
        of = f"its limit of {limit}" if limit else "what its node has"
        return (
            f"out of memory (OOMKilled): it needed more than {of}. `worker.memory_gib` in the "
            "stack file is the limit; smaller partitions need less"
        )
    code = ended.get("exitCode")
    words = _sentence(ended.get("reason"), ended.get("message"))
    if code == SIGKILL_STATUS:
        return f"killed from outside (exit code {code}, {words})"
    return f"ended with exit code {code} ({words})"


def _why_failed(pod: KubernetesObject) -> str:
    """Say why a pod failed that was replaced since."""
    status = pod["status"]
    if status.get("reason") or status.get("message"):
        return _sentence(status.get("reason"), status.get("message"))
    for container in containers_of(pod):
        if ended := (container.get("state") or {}).get("terminated"):
            return _why_ended(ended, limit=_memory_limit(pod, container["name"]))
    return "failed, and Kubernetes gives no reason"


def _ended_at(pod: KubernetesObject) -> str:
    times = [
        str(ended["finishedAt"])
        for container in containers_of(pod)
        if (ended := (container.get("state") or {}).get("terminated")) and ended.get("finishedAt")
    ]
    times += [
        str(each["lastTransitionTime"])
        for each in pod["status"].get("conditions") or []
        if each.get("lastTransitionTime")
    ]
    return max(times, default=str(pod["metadata"].get("creationTimestamp", "")))


def _of_events(events: Sequence[KubernetesObject]) -> Iterator[Loss]:
    newest: dict[str, KubernetesObject] = {}
    for event in sorted(events, key=time_of):
        about = event["involvedObject"]
        if about.get("kind") == "Pod" and event.get("reason") in OF_PODS:
            newest[about.get("name", "")] = event
    for pod, event in newest.items():
        if not (event.get("message") or "").startswith(CANCELLED):
            why = _sentence(event.get("reason"), event.get("message"))
            yield Loss(at=time_of(event), pod=pod, why=why)


def _memory_limit(pod: KubernetesObject, container: str) -> str | None:
    spec = pod["spec"]
    for each in (*spec["containers"], *(spec.get("initContainers") or [])):
        if each["name"] == container:
            limit = ((each.get("resources") or {}).get("limits") or {}).get("memory")
            return None if limit is None else str(limit)
    return None


def _sentence(reason: str | None, message: str | None) -> str:
    return ": ".join(filter(None, (reason, message))) or "no reason is given"
