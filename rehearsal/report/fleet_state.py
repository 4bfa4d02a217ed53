"""Pure: Kubernetes objects, reduced to what the claims are about."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from kubernetes.utils.quantity import parse_quantity

from daskfleet.contract.jupyter import COMPONENTS
from rehearsal.emulator.gpu_driver import GPU_RESOURCE, LOADED_DRIVER

KubernetesObject = Mapping[str, Any]
"""An object as the Kubernetes API returns it."""

POOL_LABEL = "cloud.google.com/gke-nodepool"
ACCELERATOR_LABEL = "cloud.google.com/gke-accelerator"
GPU_COUNT_LABEL = "cloud.google.com/gke-accelerator-count"
MACHINE_TYPE_LABEL = "node.kubernetes.io/instance-type"
CLUSTER_LABEL = "dask.org/cluster-name"
ROLE_LABEL = "dask.org/component"
COMPONENT_LABEL = "app.kubernetes.io/component"
COUNTED_RESOURCES = ("cpu", "memory", GPU_RESOURCE, "pods")

Amounts = Mapping[str, Decimal]
"""Resource name to amount, in Kubernetes' base units (cores, bytes, pieces)."""


@dataclass(frozen=True, kw_only=True)
class Node:
    """A node and what it offers."""

    name: str
    pool: str
    accelerator: str
    driver: str
    """Version of the NVIDIA driver that is loaded, where an installer has said so."""
    labels: Mapping[str, str]
    allocatable: Amounts
    is_ready: bool

    @property
    def machine_type(self) -> str:
        """As Google names it."""
        return self.labels.get(MACHINE_TYPE_LABEL, "")

    @property
    def gpus(self) -> int:
        """Pieces of hardware, whatever can be allocated of them."""
        return int(self.labels.get(GPU_COUNT_LABEL, 0))

    @property
    def has_gpu(self) -> bool:
        """Whether GKE says that the node has GPUs."""
        return bool(self.accelerator)


@dataclass(frozen=True, kw_only=True)
class Pod:
    """A pod, what it asks for, and where it is."""

    name: str
    namespace: str
    uid: str
    labels: Mapping[str, str]
    owner: str
    """``Kind/name`` of the controller, empty for a pod of its own."""
    node: str
    phase: str
    is_ready: bool
    is_leaving: bool
    reason: str
    images: tuple[str, ...]
    requests: Amounts
    ip: str = ""
    """Its address; empty as long as it has none."""

    @property
    def dask_cluster(self) -> str:
        """Name of the Dask cluster; empty for a pod of another kind."""
        return self.labels.get(CLUSTER_LABEL, "")

    @property
    def team(self) -> str:
        """The team whose Dask cluster it belongs to; empty for a pod of another kind."""
        return self.namespace if self.dask_cluster else ""

    @property
    def role(self) -> str:
        """``scheduler`` or ``worker``; empty for a pod of another kind."""
        return self.labels.get(ROLE_LABEL, "")

    @property
    def is_jupyter(self) -> bool:
        """Whether it is a JupyterLab, a team's or a person's."""
        return self.labels.get(COMPONENT_LABEL) in COMPONENTS

    @property
    def takes_room(self) -> bool:
        """Whether the node still reserves the pod's requests."""
        return bool(self.node) and self.phase not in {"Succeeded", "Failed"}


def node_of(document: KubernetesObject) -> Node:
    """Read a ``v1.Node``."""
    labels = document["metadata"].get("labels", {})
    status = document["status"]
    conditions = {each["type"]: each["status"] for each in status.get("conditions", [])}
    return Node(
        name=document["metadata"]["name"],
        pool=labels.get(POOL_LABEL, ""),
        accelerator=labels.get(ACCELERATOR_LABEL, ""),
        driver=document["metadata"].get("annotations", {}).get(LOADED_DRIVER, ""),
        labels=labels,
        allocatable=_amounts(status.get("allocatable", {})),
        is_ready=conditions.get("Ready") == "True",
    )


def pod_of(document: KubernetesObject) -> Pod:
    """Read a ``v1.Pod``."""
    metadata, spec, status = document["metadata"], document["spec"], document.get("status", {})
    conditions = {c["type"]: c for c in status.get("conditions", [])}
    owners = [o for o in metadata.get("ownerReferences", []) if o.get("controller")]
    return Pod(
        name=metadata["name"],
        namespace=metadata["namespace"],
        uid=metadata["uid"],
        labels=metadata.get("labels", {}),
        owner=f"{owners[0]['kind']}/{owners[0]['name']}" if owners else "",
        node=spec.get("nodeName", ""),
        phase=status.get("phase", "Unknown"),
        is_ready=conditions.get("Ready", {}).get("status") == "True",
        is_leaving="deletionTimestamp" in metadata,
        reason=_reason(conditions),
        images=tuple(container["image"] for container in spec["containers"]),
        requests=_requests(spec),
        ip=status.get("podIP", ""),
    )


def _reason(conditions: Mapping[str, Mapping[str, str]]) -> str:
    for kind in ("PodScheduled", "Ready"):
        condition = conditions.get(kind, {})
        if condition.get("status") == "False":
            return condition.get("message") or condition.get("reason", "")
    return ""


def _requests(spec: KubernetesObject) -> Amounts:
    """Return what the scheduler reserves: all containers, or the largest init container if more.

    https://kubernetes.io/docs/concepts/workloads/pods/init-containers/#resource-sharing-within-containers
    """
    first = spec.get("initContainers", [])
    sidecars = [c for c in first if c.get("restartPolicy") == "Always"]
    running = _sum(_container_requests(c) for c in [*spec["containers"], *sidecars])
    starting = [_container_requests(c) for c in first if c not in sidecars]
    overhead = _amounts(spec.get("overhead", {}))
    most = {
        name: max(amounts.get(name, Decimal(0)) for amounts in (running, *starting))
        for name in {name for amounts in (running, *starting) for name in amounts}
    }
    return _sum([most, overhead, {"pods": Decimal(1)}])


def _container_requests(container: KubernetesObject) -> Amounts:
    return _amounts(container.get("resources", {}).get("requests", {}))


def _amounts(quantities: Mapping[str, str]) -> Amounts:
    return {name: parse_quantity(quantity) for name, quantity in quantities.items()}


def _sum(parts: Iterable[Amounts]) -> Amounts:
    total: dict[str, Decimal] = {}
    for part in parts:
        for name, amount in part.items():
            total[name] = total.get(name, Decimal(0)) + amount
    return total
