"""Drivers: what the installers on the nodes come to, and the GPUs that are there afterwards.

kwok leaves the pods of installers alone (``control_plane/kwok-stages.yaml``): whether one ends
well depends on the driver that its node has loaded, which only this emulator knows.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from rehearsal.emulator.gpu_driver import (
    installed_status,
    installer_version,
    needs_installer,
    refused_status,
    was_refused,
)
from rehearsal.emulator.request_log import now

if TYPE_CHECKING:
    from rehearsal.emulator.backend import ClusterBackend
    from rehearsal.emulator.document import Document
    from rehearsal.emulator.world import Cluster, Pool, World

logger = logging.getLogger(__name__)

LOOK_EVERY_S = 0.3


class DriverInstallation:
    """Lets installers do their work; asks nothing of clusters in which GKE installs the driver."""

    def __init__(self, *, world: World, backend: ClusterBackend) -> None:
        self._world = world
        self._backend = backend

    async def look(self) -> None:
        """Look at all clusters."""
        await asyncio.gather(*(self._guarded(c) for c in list(self._world.clusters())))

    async def _guarded(self, cluster: Cluster) -> None:
        try:
            await self.look_at(cluster)
        except Exception:
            logger.exception("installing drivers of %s failed; trying again", cluster.path)

    async def look_at(self, cluster: Cluster) -> None:
        """Let every installer that has come to a node end, well or not.

        GPUs stay registered when the installer's pod goes: the driver does not go with it.
        """
        pools = [
            pool for pool in cluster.pools.values() if needs_installer(pool.document["config"])
        ]
        if not pools or cluster.document["status"] == "STOPPING":
            return
        by_node = {
            name: pool for pool in pools for names in pool.instances.values() for name in names
        }
        for pod in await self._backend.waiting_installers(cluster.ref):
            pool = by_node.get(pod["spec"].get("nodeName", ""))
            version = installer_version(pod)
            if pool is not None and version is not None:
                await self._install(cluster, pool, pod, version)

    async def _install(self, cluster: Cluster, pool: Pool, pod: Document, version: str) -> None:
        """Load a driver, unless there is one: GKE's device plugin keeps that open."""
        node = pod["spec"]["nodeName"]
        loaded = pool.drivers.setdefault(node, version)
        if loaded != version:
            if not was_refused(pod):
                status = refused_status(pod, loaded=loaded, version=version)
                await self._backend.set_pod_status(cluster.ref, pod, status)
                logger.info("%s: %s is loaded, %s is refused", node, loaded, version)
            return
        gpus = pool.awaiting_driver.pop(node, None)
        if gpus is not None:
            await self._backend.offer_gpus(cluster.ref, node, gpus=gpus, driver=version)
            logger.info("%s: driver %s is there, %s GPUs", node, version, gpus)
        await self._backend.set_pod_status(cluster.ref, pod, installed_status(pod, at=now()))
