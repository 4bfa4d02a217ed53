"""Clusters with a real control plane each, on this machine."""

from __future__ import annotations

import asyncio
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rehearsal.control_plane import ControlPlane, DaskMode
from rehearsal.emulator.backend import ClusterRef, Endpoint, Workloads
from rehearsal.emulator.kubernetes_api import KubernetesApi
from rehearsal.emulator.system_workloads import system_objects
from rehearsal.kubernetes_changes import Changes, Listed

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from rehearsal.emulator.document import Document
    from rehearsal.toolchain import Binaries


class NoControlPlaneError(Exception):
    """A cluster's control plane does not run."""


@dataclass(frozen=True, kw_only=True)
class _Running:
    control_plane: ControlPlane
    api: KubernetesApi
    workloads: Listed[Workloads]
    waiting_installers: Listed[tuple[Document, ...]]
    following: asyncio.Task[None]


class KubernetesBackend:
    """Starts one control plane per cluster, below one directory, by the cluster's name."""

    def __init__(self, *, binaries: Binaries, directory: Path, dask: DaskMode = "place") -> None:
        """Keep each cluster's data in ``directory/NAME``."""
        self._binaries = binaries
        self._directory = directory
        self._dask: DaskMode = dask
        self._running: dict[ClusterRef, _Running] = {}
        self._starts: set[asyncio.Task[Endpoint]] = set()

    @property
    def control_planes(self) -> Mapping[str, ControlPlane]:
        """The running control planes by cluster name."""
        return {ref.name: running.control_plane for ref, running in self._running.items()}

    async def create(self, cluster: ClusterRef) -> Endpoint:
        """Start a control plane and create what GKE runs on its nodes.

        Raises ControlPlaneError when it does not start.
        """
        # A start cannot be interrupted: cancelling the operation must not lose sight of it.
        start = asyncio.create_task(self._create(cluster))
        self._starts.add(start)
        start.add_done_callback(self._starts.discard)
        return await asyncio.shield(start)

    async def resume(self, cluster: ClusterRef) -> None:
        """Start a control plane on the data that it has.

        Raises ControlPlaneError when it does not start, or one of its ports is taken.
        """
        await self._start(cluster, at_known_ports=True)

    async def _create(self, cluster: ClusterRef) -> Endpoint:
        running = await self._start(cluster)
        await asyncio.to_thread(running.api.create, system_objects())
        return Endpoint(
            address=running.control_plane.endpoint,
            ca_certificate=running.control_plane.ca_certificate,
        )

    async def _start(self, cluster: ClusterRef, *, at_known_ports: bool = False) -> _Running:
        control_plane = ControlPlane(
            binaries=self._binaries,
            directory=self._directory / cluster.name,
            service_cidr=cluster.service_cidr,
            pod_cidr=cluster.pod_cidr,
            dask=self._dask,
        )
        await asyncio.to_thread(control_plane.start, at_known_ports=at_known_ports)
        running = _followed(control_plane)
        self._running[cluster] = running
        return running

    async def delete(self, cluster: ClusterRef) -> None:
        """Stop the control plane and delete its directory."""
        await self._stop(cluster)
        directory = self._directory / cluster.name
        if directory.exists():
            await asyncio.to_thread(shutil.rmtree, directory)

    async def _stop(self, cluster: ClusterRef) -> None:
        running = self._running.pop(cluster, None)
        if running is not None:
            running.following.cancel()
            await asyncio.wait([running.following])
            running.api.close()
            await asyncio.to_thread(running.control_plane.stop)

    def _there(self, cluster: ClusterRef) -> _Running:
        if cluster not in self._running:
            raise NoControlPlaneError(f"The control plane of {cluster.name} does not run.")
        return self._running[cluster]

    def _api(self, cluster: ClusterRef) -> KubernetesApi:
        return self._there(cluster).api

    async def define(self, cluster: ClusterRef, definitions: list[Document]) -> None:
        """Create CustomResourceDefinitions, and wait until they are served."""
        await asyncio.to_thread(self._api(cluster).define, definitions)

    async def add_node(self, cluster: ClusterRef, node: Document) -> None:
        """Post a Node for kwok."""
        await asyncio.to_thread(self._api(cluster).add_node, node)

    async def offer_gpus(self, cluster: ClusterRef, name: str, *, gpus: str, driver: str) -> None:
        """Add GPUs to a Node, as a kubelet does for a device plugin."""
        await asyncio.to_thread(self._api(cluster).offer_gpus, name, gpus=gpus, driver=driver)

    async def mark_node(
        self, cluster: ClusterRef, name: str, *, labels: Document, taints: list[Document]
    ) -> None:
        """Change a node's labels and taints."""
        api = self._api(cluster)
        await asyncio.to_thread(api.mark_node, name, labels=labels, taints=taints)

    async def waiting_installers(self, cluster: ClusterRef) -> tuple[Document, ...]:
        """Return the pods that install a driver and have not done so."""
        return await self._there(cluster).waiting_installers.get()

    async def set_pod_status(self, cluster: ClusterRef, pod: Document, status: Document) -> None:
        """Write a pod's status."""
        await asyncio.to_thread(self._api(cluster).set_pod_status, pod, status)

    async def cordon_node(self, cluster: ClusterRef, name: str) -> None:
        """Let no new pod onto a node."""
        await asyncio.to_thread(self._api(cluster).cordon_node, name)

    async def remove_node(self, cluster: ClusterRef, name: str, *, drain_timeout_s: float) -> None:
        """Drain a node and delete it."""
        await asyncio.to_thread(
            self._api(cluster).remove_node, name, drain_timeout_s=drain_timeout_s
        )

    async def workloads(self, cluster: ClusterRef) -> Workloads:
        """Return all pods and DaemonSets."""
        return await self._there(cluster).workloads.get()

    async def record(self, cluster: ClusterRef, event: Document) -> None:
        """Create an Event."""
        await asyncio.to_thread(self._api(cluster).record, event)

    async def restart(self, cluster: ClusterRef, process: str) -> None:
        """Kill and restart one process of a control plane."""
        await asyncio.to_thread(self._there(cluster).control_plane.restart, process)

    async def stop(self) -> None:
        """Stop every control plane; data stays for who wants to look at it."""
        await asyncio.gather(*self._starts, return_exceptions=True)
        await asyncio.gather(*(self._stop(cluster) for cluster in list(self._running)))


def _followed(control_plane: ControlPlane) -> _Running:
    """Begin to follow what the emulator looks at again and again."""
    api = KubernetesApi(control_plane.admin_kubeconfig)
    changes = Changes(control_plane.admin_kubeconfig, {"pods": "v1", "daemonsets": "apps/v1"})
    return _Running(
        control_plane=control_plane,
        api=api,
        workloads=Listed(
            lambda: asyncio.to_thread(api.workloads), of=changes, plurals=("pods", "daemonsets")
        ),
        waiting_installers=Listed(
            lambda: asyncio.to_thread(api.waiting_installers), of=changes, plurals=("pods",)
        ),
        following=asyncio.create_task(changes.follow()),
    )
