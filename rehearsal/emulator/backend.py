"""What the emulator asks of the thing behind a cluster: a control plane, or nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from rehearsal.emulator.gpu_driver import GPU_RESOURCE, LOADED_DRIVER, SIZE_FIELDS

if TYPE_CHECKING:
    from rehearsal.emulator.document import Document


@dataclass(frozen=True, kw_only=True)
class ClusterRef:
    """Identity and address ranges of one cluster."""

    project: str
    location: str
    name: str
    service_cidr: str = field(compare=False, default="34.118.224.0/20")
    pod_cidr: str = field(compare=False, default="10.112.0.0/14")


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """Where a control plane answers."""

    address: str
    """``host:port`` or a bare IP address."""
    ca_certificate: str
    """PEM."""


@dataclass(frozen=True, kw_only=True)
class Workloads:
    """What the autoscaler looks at."""

    pods: tuple[Document, ...] = ()
    daemon_sets: tuple[Document, ...] = ()


class ClusterBackend(Protocol):
    """The Kubernetes side of emulated clusters. Errors of any kind fail the GKE operation."""

    async def create(self, cluster: ClusterRef) -> Endpoint:
        """Start a control plane; return when it serves."""
        ...

    async def resume(self, cluster: ClusterRef) -> None:
        """Start a control plane that has been stopped, with its data and at its endpoint."""
        ...

    async def delete(self, cluster: ClusterRef) -> None:
        """Stop the control plane and delete its data; nothing to do when there is none."""
        ...

    async def define(self, cluster: ClusterRef, definitions: list[Document]) -> None:
        """Create CustomResourceDefinitions that are not there, and return when they are served."""
        ...

    async def add_node(self, cluster: ClusterRef, node: Document) -> None:
        """Post a ``v1.Node`` and make sure that it kept its capacity."""
        ...

    async def offer_gpus(self, cluster: ClusterRef, name: str, *, gpus: str, driver: str) -> None:
        """Add so many ``nvidia.com/gpu`` to a Node's size, and name the driver that it has loaded.

        Nothing to do when the Node is gone.
        """
        ...

    async def mark_node(
        self, cluster: ClusterRef, name: str, *, labels: Document, taints: list[Document]
    ) -> None:
        """Give a Node exactly these labels and taints; nothing to do when it is gone."""
        ...

    async def waiting_installers(self, cluster: ClusterRef) -> tuple[Document, ...]:
        """Return the pods that install a driver and have not done so."""
        ...

    async def set_pod_status(self, cluster: ClusterRef, pod: Document, status: Document) -> None:
        """Write what a kubelet would say of a pod; nothing to do when it is gone."""
        ...

    async def cordon_node(self, cluster: ClusterRef, name: str) -> None:
        """Let no new pod onto a Node; nothing to do when it is gone."""
        ...

    async def remove_node(self, cluster: ClusterRef, name: str, *, drain_timeout_s: float) -> None:
        """Cordon, evict through the Eviction API for at most so long, then delete the Node."""
        ...

    async def workloads(self, cluster: ClusterRef) -> Workloads:
        """Return all pods and DaemonSets."""
        ...

    async def record(self, cluster: ClusterRef, event: Document) -> None:
        """Create an Event; nothing to do when what it is about is on its way out."""
        ...

    async def restart(self, cluster: ClusterRef, process: str) -> None:
        """Kill a process of the control plane, start it again, and return when it serves."""
        ...

    async def stop(self) -> None:
        """Stop every control plane, keeping nothing running."""
        ...


class NoKubernetes:
    """A backend with nothing behind it: clusters exist in Google's API only."""

    def __init__(self) -> None:
        self.nodes: dict[ClusterRef, dict[str, Document]] = {}

    async def create(self, cluster: ClusterRef) -> Endpoint:
        """Pretend a control plane at an address of the documentation range (RFC 5737)."""
        self.nodes[cluster] = {}
        return Endpoint(address="192.0.2.1", ca_certificate="no Kubernetes behind this cluster\n")

    async def resume(self, cluster: ClusterRef) -> None:
        """Have the cluster's nodes still, unless they were another backend's."""
        self.nodes.setdefault(cluster, {})

    async def delete(self, cluster: ClusterRef) -> None:
        """Forget the cluster's nodes."""
        self.nodes.pop(cluster, None)

    async def define(self, cluster: ClusterRef, definitions: list[Document]) -> None:
        """There is nothing that could serve them."""

    async def add_node(self, cluster: ClusterRef, node: Document) -> None:
        """Remember the node."""
        self.nodes[cluster][node["metadata"]["name"]] = node

    async def offer_gpus(self, cluster: ClusterRef, name: str, *, gpus: str, driver: str) -> None:
        """Change the remembered node."""
        if name in self.nodes[cluster]:
            node = self.nodes[cluster][name]
            node["metadata"]["annotations"][LOADED_DRIVER] = driver
            for field_name in SIZE_FIELDS:
                node["status"][field_name][GPU_RESOURCE] = gpus

    async def mark_node(
        self, cluster: ClusterRef, name: str, *, labels: Document, taints: list[Document]
    ) -> None:
        """Change the remembered node."""
        if name in self.nodes[cluster]:
            self.nodes[cluster][name]["metadata"]["labels"] = labels
            self.nodes[cluster][name]["spec"]["taints"] = taints

    async def waiting_installers(self, cluster: ClusterRef) -> tuple[Document, ...]:
        """There are none."""
        del cluster
        return ()

    async def set_pod_status(self, cluster: ClusterRef, pod: Document, status: Document) -> None:
        """There is no pod."""

    async def cordon_node(self, cluster: ClusterRef, name: str) -> None:
        """Change the remembered node."""
        if name in self.nodes[cluster]:
            self.nodes[cluster][name]["spec"]["unschedulable"] = True

    async def remove_node(self, cluster: ClusterRef, name: str, *, drain_timeout_s: float) -> None:
        """Forget the node; there are no pods to drain for ``drain_timeout_s``."""
        del drain_timeout_s
        del self.nodes[cluster][name]

    async def workloads(self, cluster: ClusterRef) -> Workloads:
        """There are none."""
        del cluster
        return Workloads()

    async def record(self, cluster: ClusterRef, event: Document) -> None:
        """There is nobody to read it."""

    async def restart(self, cluster: ClusterRef, process: str) -> None:
        """There is no process."""
        del cluster, process

    async def stop(self) -> None:
        """Nothing runs."""
