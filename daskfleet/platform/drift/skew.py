"""Pure: node and driver versions that differ between the schedulers' pool and the workers'."""

from collections.abc import Callable, Iterator, Sequence

from pydantic import JsonValue

from daskfleet.contract.declared import DeclaredPool
from daskfleet.contract.nodes import POOL_LABEL
from daskfleet.platform.drift.model import Difference, Owner, Severity
from daskfleet.platform.drift.snapshot import NODE, Snapshot
from daskfleet.pod_status import KubernetesObject, label

EXACT_DRIVER = "cloud.google.com/cuda.driver-version.full"
DRIVER_CHOICE = "cloud.google.com/gke-gpu-driver-version"
"""Where a node says its driver: exactly, if the device plugin notes it; else what GKE chose by."""


def skew_differences(pools: Sequence[DeclaredPool], snapshot: Snapshot) -> Iterator[Difference]:
    """Tell of versions that differ between GPU pools. A pool without nodes has none."""
    gpu_pools = {pool.name for pool in pools if pool.accelerator}
    nodes = [each for each in snapshot.of(NODE) if label(each, POOL_LABEL) in gpu_pools]
    yield from _skewed(
        "node version",
        _by_pool(nodes, kubelet_version),
        evidence="the release channel upgrades pool after pool, and node after node",
        remedy="Nothing while an upgrade runs; each node that is upgraded restarts the Dask pods "
        "on it. If it stays so, look at the pools in the console.",
    )
    yield from _skewed(
        "NVIDIA driver",
        _by_pool(nodes, driver),
        evidence="the driver comes with the node: it changes when a node is made again",
        remedy="Nothing while nodes are made again. Until they all are, a scheduler may have "
        "another driver than its workers.",
    )


def _skewed(
    what: str, by_pool: dict[str, list[str]], *, evidence: str, remedy: str
) -> Iterator[Difference]:
    if len({version for versions in by_pool.values() for version in versions}) > 1:
        yield Difference(
            severity=Severity.INFORMATION,
            resource=f"GPU pools {', '.join(by_pool)}",
            field=what,
            declared="the same in all",
            found={pool: list[JsonValue](versions) for pool, versions in by_pool.items()},
            owner=Owner.GKE,
            evidence=evidence,
            remedy=remedy,
        )


def _by_pool(
    nodes: Sequence[KubernetesObject], read: Callable[[KubernetesObject], str]
) -> dict[str, list[str]]:
    found: dict[str, set[str]] = {}
    for node in nodes:
        if version := read(node):
            found.setdefault(label(node, POOL_LABEL), set()).add(version)
    return {pool: sorted(versions) for pool, versions in sorted(found.items())}


def kubelet_version(node: KubernetesObject) -> str:
    """Return the node's version; empty before its kubelet has told."""
    return str(node["status"].get("nodeInfo", {}).get("kubeletVersion", ""))


def driver(node: KubernetesObject) -> str:
    """Return the node's driver as exactly as it is told; empty where nobody tells."""
    noted = node["metadata"].get("annotations") or {}
    return str(noted.get(EXACT_DRIVER) or label(node, DRIVER_CHOICE))
