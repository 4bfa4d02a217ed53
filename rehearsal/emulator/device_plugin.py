"""GKE's device plugin: nodes offer their GPUs as soon as their driver is installed."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from rehearsal.emulator.gpu_driver import nodes_with_driver

if TYPE_CHECKING:
    from rehearsal.emulator.backend import ClusterBackend
    from rehearsal.emulator.world import Cluster, World

logger = logging.getLogger(__name__)

_INTERVAL_S = 0.3


class DevicePlugin:
    """Looks after machines that wait for a driver, and asks nothing while there are none."""

    def __init__(self, *, world: World, backend: ClusterBackend) -> None:
        self._world = world
        self._backend = backend

    async def run(self) -> None:
        """Look at all clusters again and again, until cancelled."""
        while True:
            await asyncio.gather(*(self._guarded(c) for c in list(self._world.clusters())))
            await asyncio.sleep(_INTERVAL_S)

    async def _guarded(self, cluster: Cluster) -> None:
        try:
            await self.look_at(cluster)
        except Exception:
            logger.exception("registering GPUs of %s failed; trying again", cluster.path)

    async def look_at(self, cluster: Cluster) -> None:
        """Register the GPUs of machines on which a driver was installed since the last round.

        They stay registered when the installer's pod goes: the driver does not go with it.
        """
        waiting = [pool for pool in cluster.pools.values() if pool.awaiting_driver]
        if not waiting or cluster.document["status"] == "STOPPING":
            return
        with_driver = nodes_with_driver((await self._backend.workloads(cluster.ref)).pods)
        for pool in waiting:
            for name, gpus in list(pool.awaiting_driver.items()):
                if name in with_driver:
                    await self._backend.offer_gpus(cluster.ref, name, gpus)
                    pool.awaiting_driver.pop(name, None)
                    logger.info("%s: driver is there, %s GPUs", name, gpus)
