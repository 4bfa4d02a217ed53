"""Pure: which of several pods is asked: where a team's Service leads now."""

from collections.abc import Sequence
from dataclasses import dataclass

from daskfleet.pod_status import KubernetesObject, is_ready


@dataclass(frozen=True)
class ServiceTarget:
    """A pod that can be forwarded to, or what is waited for."""

    pod: str | None
    waits_for: str = ""


def selector_of(service: KubernetesObject) -> dict[str, str]:
    """Return which pods a Service leads to; no selector is no pod."""
    return dict(service["spec"].get("selector") or {})


def target_of(pods: Sequence[KubernetesObject], *, of: str = "scheduler") -> ServiceTarget:
    """Choose among the pods behind a Service: ready, not on its way out, the newest."""
    staying = [pod for pod in pods if "deletionTimestamp" not in pod["metadata"]]
    ready = [pod for pod in staying if is_ready(pod)]
    if ready:
        return ServiceTarget(max(ready, key=_age)["metadata"]["name"])
    if staying:
        pod = max(staying, key=_age)
        return ServiceTarget(None, f"pod {pod['metadata']['name']} to be ready ({_state(pod)})")
    return ServiceTarget(None, f"a {of} pod")


def _age(pod: KubernetesObject) -> tuple[str, str]:
    return pod["metadata"].get("creationTimestamp", ""), pod["metadata"]["name"]


def _state(pod: KubernetesObject) -> str:
    for container in pod["status"].get("containerStatuses") or []:
        if reason := (container.get("state") or {}).get("waiting", {}).get("reason"):
            return str(reason)
    return str(pod["status"].get("phase", "Pending"))
