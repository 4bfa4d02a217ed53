"""Pure: what the cluster autoscaler says of pods that wait for a node, in Events of the pods.

Sources: kubernetes/autoscaler, ``eventing_scale_up_processor.go`` and ``ReasonsMessage``; GKE's
addition, ``FailedScaleUp``, is ``zonalErrorMessageTemplate`` of gke-autoscaling with the words that
it has for each kind of failure. Other autoscalers have other words.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from rehearsal.emulator.pod_fit import missing, requests, selects, untolerated

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from rehearsal.emulator.document import Document
    from rehearsal.emulator.scaling import PoolView, ZoneView

COMPONENT = "cluster-autoscaler"

FAILURES: Mapping[str, str] = {
    "GCE_STOCKOUT": "GCE out of resources",
    "GCE_QUOTA_EXCEEDED": "GCE quota exceeded",
}
"""GKE's words by the condition that the pool gets."""

OTHER_FAILURE = "Internal error"


@dataclass(frozen=True, kw_only=True)
class Remark:
    """One thing said of one pod."""

    pod: Document
    reason: Literal["TriggeredScaleUp", "NotTriggerScaleUp", "FailedScaleUp"]
    message: str

    @property
    def uid(self) -> str:
        """Of the pod: a name comes again."""
        return str(self.pod["metadata"]["uid"])


@dataclass(frozen=True, kw_only=True)
class GrownGroup:
    """A zone's instance group that gets machines."""

    url: str
    present: int
    wanted: int
    at_most: int


def triggered(pods: Iterable[Document], groups: Iterable[GrownGroup]) -> Iterator[Remark]:
    """Say which groups grow for the pods."""
    grown = " ".join(
        f"{{{each.url} {each.present}->{each.wanted} (max: {each.at_most})}}" for each in groups
    )
    for pod in pods:
        yield Remark(
            pod=pod, reason="TriggeredScaleUp", message=f"pod triggered scale-up: [{grown}]"
        )


def failed(pods: Iterable[Document], zones: Iterable[str], *, code: str) -> Iterator[Remark]:
    """Say that these zones had no machine; ``code`` is the condition that their pool gets."""
    message = (
        f"Node scale up in zones {', '.join(zones)} associated with this pod failed: "
        f"{FAILURES.get(code, OTHER_FAILURE)}. Pod is at risk of not being scheduled."
    )
    for pod in pods:
        yield Remark(pod=pod, reason="FailedScaleUp", message=message)


def not_triggered(pods: Iterable[Document], pools: Sequence[PoolView]) -> Iterator[Remark]:
    """Say why no pool grows for the pods; each zone of a pool is a group of its own."""
    for pod in pods:
        reasons = Counter(
            reason
            for pool in pools
            if pool.is_scaled
            for zone in pool.zones
            for reason in _reasons(pod["spec"], pool, zone)
        )
        told = ", ".join(f"{count} {reason}" for reason, count in sorted(reasons.items()))
        yield Remark(
            pod=pod, reason="NotTriggerScaleUp", message=f"pod didn't trigger scale-up: {told}"
        )


def event(remark: Remark) -> Document:
    """Return the Event, as client-go records and names it."""
    pod = remark.pod["metadata"]
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    return {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": f"{pod['name']}.{time.time_ns():x}", "namespace": pod["namespace"]},
        "involvedObject": {
            "apiVersion": "v1",
            "kind": "Pod",
            "name": pod["name"],
            "namespace": pod["namespace"],
            "uid": pod["uid"],
        },
        "type": "Warning" if remark.reason == "FailedScaleUp" else "Normal",
        "reason": remark.reason,
        "message": remark.message,
        "source": {"component": COMPONENT},
        "firstTimestamp": now,
        "lastTimestamp": now,
        "count": 1,
    }


def _reasons(pod_spec: Document, pool: PoolView, zone: str) -> list[str]:
    """Why a group is not asked, or why its machine would not do."""
    view = pool.zones[zone]
    if view.is_out_of_stock:
        return ["in backoff after failed scale-up"]
    present, maximum = pool.bound("Max", pool.sizes, zone)
    if present >= maximum:
        return ["max node group size reached"]
    return _predicates(pod_spec, view)


def _predicates(pod_spec: Document, view: ZoneView) -> list[str]:
    """What kube-scheduler's plug-ins say of the machine, the first that has something to say."""
    node = view.template
    if taint := untolerated(pod_spec, node.taints):
        return [f"node(s) had untolerated taint {{{taint['key']}: {taint.get('value', '')}}}"]
    if not selects(pod_spec, node.labels):
        return ["node(s) didn't match Pod's node affinity/selector"]
    return [f"Insufficient {name}" for name in missing(requests(pod_spec), node.free)]
