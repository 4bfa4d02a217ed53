"""Pure: nodes that are not well, and what runs on the others."""

from collections.abc import Iterable, Iterator, Sequence

from daskfleet.contract.nodes import POOL_LABEL
from daskfleet.platform.drift.skew import driver, kubelet_version
from daskfleet.platform.report.running.model import Kind, Problem, VersionRow
from daskfleet.pod_status import KubernetesObject, is_ready, label
from in_cluster.gpu_health.note import Note
from in_cluster.gpu_health.signs import missing_gpus, reported

PRESSURES = ("MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable")
"""Conditions of a node that are well when they are False (kubernetes.io, "Node Status")."""


def node_problems(nodes: Iterable[KubernetesObject]) -> Iterator[Problem]:
    """Return what nodes say of themselves, and what the controller of sick GPUs noted."""
    for node in nodes:
        if said := tuple(_said(node)):
            name = node["metadata"]["name"]
            yield Problem(
                kind=Kind.NODE,
                about=f"node {name}",
                says="; ".join(said),
                next_step=_next_step(node),
                command=f"kubectl describe node {name}",
            )


def version_rows(nodes: Sequence[KubernetesObject]) -> tuple[VersionRow, ...]:
    """Return for each pool what its nodes run."""
    pools = sorted({label(node, POOL_LABEL) for node in nodes})
    return tuple(
        _versions(pool, [node for node in nodes if label(node, POOL_LABEL) == pool])
        for pool in pools
    )


def _versions(pool: str, nodes: Sequence[KubernetesObject]) -> VersionRow:
    return VersionRow(
        pool=pool,
        nodes=len(nodes),
        kubelet=tuple(sorted({kubelet_version(node) for node in nodes} - {""})),
        driver=tuple(sorted({driver(node) for node in nodes} - {""})),
    )


def _next_step(node: KubernetesObject) -> str:
    if reported(node) or Note.of(node):
        return "docs/health.md says how a node with a sick GPU is repaired."
    if is_ready(node) and node["spec"].get("unschedulable"):
        return f"`kubectl uncordon {node['metadata']['name']}` lets pods on it again."
    return "GKE repairs a node that is not ready by itself, where its pool leaves that to GKE."


def _said(node: KubernetesObject) -> Iterator[str]:
    if not is_ready(node):
        yield "not ready"
    if node["spec"].get("unschedulable"):
        yield "takes no new pods (cordoned)"
    for condition in node["status"].get("conditions") or []:
        if condition["type"] in PRESSURES and condition["status"] == "True":
            yield f"{condition['type']}: {condition.get('message') or condition.get('reason')}"
    if told := reported(node):
        yield f"GPU: {told}"
    if note := Note.of(node):
        yield f"drained since {note.since:%Y-%m-%d %H:%M} UTC: {note.why}"
    if missing := missing_gpus(node):
        yield f"{missing} of its GPUs cannot be had"
