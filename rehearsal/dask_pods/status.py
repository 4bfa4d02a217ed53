"""Pure: a pod's status document, as a kubelet writes it, from what its containers are doing."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from rehearsal.dask_pods.model import Document, PodPlace
from rehearsal.dask_pods.quality_of_service import quality_of_service
from rehearsal.dask_pods.states import ContainerSeen, Running, Terminated, Waiting

Status = dict[str, Any]
"""``status`` of a ``v1`` Pod."""


@dataclass(frozen=True, kw_only=True)
class PodSeen:
    """What a pod's containers are doing at one moment."""

    containers: tuple[ContainerSeen, ...]
    has_volumes: bool
    """Whether everything that a container needs to start has been made."""
    has_ended: bool
    """Whether the pod was told to end, and has."""


def pod_status(
    pod: Document,
    seen: PodSeen,
    *,
    place: PodPlace,
    started_at: datetime,
    before: Status,
    now: datetime,
) -> Status:
    """Write the status. ``before`` is the last one: times of conditions move when they change."""
    phase = _phase(pod, seen)
    return {
        "phase": phase,
        "conditions": _conditions(seen, phase=phase, before=before, now=now),
        "hostIP": place.host_ip,
        "hostIPs": [{"ip": place.host_ip}],
        "podIP": place.address.pod_ip,
        "podIPs": [{"ip": place.address.pod_ip}],
        "startTime": _time(started_at),
        "qosClass": before.get("qosClass") or quality_of_service(pod),
        "containerStatuses": [_container_status(container) for container in seen.containers],
    }


def _phase(pod: Document, seen: PodSeen) -> str:
    states = [container.state for container in seen.containers]
    if any(isinstance(s.state, Waiting) and s.last_state is None for s in seen.containers):
        return "Failed" if seen.has_ended else "Pending"
    if any(isinstance(state, Running) for state in states):
        return "Running"
    codes = [state.exit_code for state in states if isinstance(state, Terminated)]
    is_over = seen.has_ended or _stays_ended(pod, codes, of=len(states))
    if not is_over:
        return "Running"
    return "Succeeded" if len(codes) == len(states) and not any(codes) else "Failed"


def _stays_ended(pod: Document, codes: Sequence[int], *, of: int) -> bool:
    policy = pod["spec"].get("restartPolicy", "Always")
    if len(codes) < of or policy == "Always":
        return False
    return policy == "Never" or not any(codes)


def _conditions(
    seen: PodSeen, *, phase: str, before: Status, now: datetime
) -> list[dict[str, Any]]:
    old = {condition["type"]: condition for condition in before.get("conditions", ())}
    ready = _readiness(seen, phase)
    written = [
        _condition("PodReadyToStartContainers", is_true=seen.has_volumes and not seen.has_ended),
        _condition("Initialized", is_true=seen.has_volumes),
        {**_condition("Ready", is_true=not ready), **ready},
        {**_condition("ContainersReady", is_true=not ready), **ready},
    ]
    for condition in written:
        last = old.get(condition["type"], {})
        unchanged = last.get("status") == condition["status"]
        condition["lastTransitionTime"] = last["lastTransitionTime"] if unchanged else _time(now)
    # The scheduler's own condition, and others', are theirs.
    names = {condition["type"] for condition in written}
    return [*(dict(c) for name, c in old.items() if name not in names), *written]


def _condition(name: str, *, is_true: bool) -> dict[str, Any]:
    return {"type": name, "status": "True" if is_true else "False", "lastProbeTime": None}


def _readiness(seen: PodSeen, phase: str) -> dict[str, str]:
    """Give reason and message of a pod that is not ready, and nothing for one that is."""
    if phase in ("Succeeded", "Failed"):
        return {"reason": "PodCompleted" if phase == "Succeeded" else "PodFailed"}
    unready = [container.name for container in seen.containers if not container.is_ready]
    if not unready:
        return {}
    return {
        "reason": "ContainersNotReady",
        "message": f"containers with unready status: [{' '.join(unready)}]",
    }


def _container_status(container: ContainerSeen) -> dict[str, Any]:
    last = container.last_state
    return {
        "name": container.name,
        "image": container.image,
        "imageID": container.image_id,
        "containerID": container.container_id,
        "state": _state(container.state),
        "lastState": {} if last is None else _state(last),
        "restartCount": container.restart_count,
        "started": container.is_started,
        "ready": container.is_ready,
    }


def _state(state: Waiting | Running | Terminated) -> dict[str, Any]:
    match state:
        case Waiting(reason=reason, message=message):
            return {"waiting": {"reason": reason, **({"message": message} if message else {})}}
        case Running(started_at=started_at):
            return {"running": {"startedAt": _time(started_at)}}
        case Terminated() as ended:
            return {
                "terminated": {
                    "exitCode": ended.exit_code,
                    "reason": ended.reason,
                    **({"message": ended.message} if ended.message else {}),
                    "startedAt": _time(ended.started_at),
                    "finishedAt": _time(ended.finished_at),
                    "containerID": ended.container_id,
                }
            }


def _time(moment: datetime) -> str:
    """``metav1.Time``: whole seconds of UTC."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
