"""When an object counts as ready, by kind: decisions on documents, no effects.

The kinds that the real provider awaits (pulumi-kubernetes 94977969 `await/awaiters.go`), except
Ingress, Job, PersistentVolume, PersistentVolumeClaim and ReplicationController, which are not
awaited here. Everything else is ready once it exists.
"""

from collections.abc import Callable, Sequence

from kubernetes.utils.quantity import parse_quantity

from rehearsal.providers.kubernetes.kinds import Kind
from rehearsal.providers.kubernetes.manifest import Manifest, lookup

Unready = str
"""What is still missing, for a progress line and for the error."""


def unready(kind: Kind, live: Manifest) -> Unready | None:
    """What keeps an object from being ready, None when nothing does."""
    rule = _RULES.get(kind)
    return rule(live) if rule else None


def is_awaited(kind: Kind) -> bool:
    """Whether existing is not enough for this kind."""
    return kind in _RULES


def waits_for_endpoints(service: Manifest) -> bool:
    """Whether a Service has pods to wait for; headless and selector-less ones have none."""
    spec = service.get("spec", {})
    return (
        spec.get("type") != "ExternalName"
        and spec.get("clusterIP") != "None"
        and bool(spec.get("selector"))
    )


def unready_endpoints(slices: Sequence[Manifest]) -> Unready | None:
    """What a Service's EndpointSlices still lack.

    A Service is *not* a readiness gate: matching pods that are not ready yet hold it up, but
    with no matching pod at all it counts as complete, as with the real provider.
    """
    if not slices:
        return "its endpoints to be published"
    waiting = sum(
        lookup(endpoint, "conditions", "ready") is False
        for item in slices
        for endpoint in item.get("endpoints") or ()
    )
    return f"{waiting} selected pods that are not ready" if waiting else None


def _deployment(live: Manifest) -> Unready | None:
    wanted = lookup(live, "spec", "replicas")
    return _unobserved(live) or _first(
        (_count(live, "updatedReplicas") < wanted, f"{wanted} updated replicas"),
        (_count(live, "replicas") > _count(live, "updatedReplicas"), "old replicas to go"),
        (_count(live, "availableReplicas") < wanted, _progress(live, "availableReplicas", wanted)),
    )


def _daemon_set(live: Manifest) -> Unready | None:
    wanted = _count(live, "desiredNumberScheduled")
    return _unobserved(live) or _first(
        (_count(live, "updatedNumberScheduled") < wanted, f"{wanted} updated pods"),
        (_count(live, "numberAvailable") < wanted, _progress(live, "numberAvailable", wanted)),
    )


def _stateful_set(live: Manifest) -> Unready | None:
    wanted = lookup(live, "spec", "replicas")
    return _unobserved(live) or _first(
        (_count(live, "updatedReplicas") < wanted, f"{wanted} updated replicas"),
        (_count(live, "readyReplicas") < wanted, _progress(live, "readyReplicas", wanted)),
    )


def _namespace(live: Manifest) -> Unready | None:
    return None if lookup(live, "status", "phase") == "Active" else "it to become active"


def _pod(live: Manifest) -> Unready | None:
    finished = lookup(live, "status", "phase") == "Succeeded"
    return None if finished or condition(live, "Ready") == "True" else "it to become ready"


def _resource_quota(live: Manifest) -> Unready | None:
    wanted, seen = lookup(live, "spec", "hard") or {}, lookup(live, "status", "hard") or {}
    same = wanted.keys() == seen.keys() and all(
        parse_quantity(wanted[key]) == parse_quantity(seen[key]) for key in wanted
    )
    return None if same else "its limits to take effect"


def _service(live: Manifest) -> Unready | None:
    if lookup(live, "spec", "type") != "LoadBalancer":
        return None
    return None if lookup(live, "status", "loadBalancer", "ingress") else "a load balancer address"


_RULES: dict[Kind, Callable[[Manifest], Unready | None]] = {
    Kind("apps", "v1", "DaemonSet"): _daemon_set,
    Kind("apps", "v1", "Deployment"): _deployment,
    Kind("apps", "v1", "StatefulSet"): _stateful_set,
    Kind("", "v1", "Namespace"): _namespace,
    Kind("", "v1", "Pod"): _pod,
    Kind("", "v1", "ResourceQuota"): _resource_quota,
    Kind("", "v1", "Service"): _service,
}


def condition(live: Manifest, name: str) -> str | None:
    """Status of a condition, None when the object has no such condition."""
    for item in lookup(live, "status", "conditions") or ():
        if item.get("type") == name:
            return str(item.get("status"))
    return None


def _unobserved(live: Manifest) -> Unready | None:
    generation = lookup(live, "metadata", "generation") or 0
    if _count(live, "observedGeneration") < generation:
        return "its controller to notice the change"
    return None


def _count(live: Manifest, key: str) -> int:
    return int(lookup(live, "status", key) or 0)


def _progress(live: Manifest, key: str, wanted: int) -> str:
    return f"{wanted} pods to be ready, {_count(live, key)} are"


def _first(*checks: tuple[bool, Unready]) -> Unready | None:
    return next((text for failed, text in checks if failed), None)
