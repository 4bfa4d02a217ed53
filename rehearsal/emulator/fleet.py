"""Machines of node pools: growing, shrinking and rolling them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from rehearsal.emulator.gpu_driver import GPU_RESOURCE, needs_installer, without_gpus
from rehearsal.emulator.node_template import node_document
from rehearsal.emulator.operations import OperationFailedError
from rehearsal.emulator.upgrade_settings import blue_batch

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rehearsal.emulator.backend import ClusterBackend
    from rehearsal.emulator.document import Document
    from rehearsal.emulator.faults import FaultBook
    from rehearsal.emulator.latency import Latency
    from rehearsal.emulator.reservations import Reservations
    from rehearsal.emulator.world import Pool


_NOT_ALL_RUNNING = "Not all instances running in IGM"


class StockoutError(OperationFailedError):
    """There is no such machine; text as GKE words it (terraform-provider-google 6287)."""

    def __init__(
        self, *, instance: str, why: str, missing: int, code: str = "GCE_STOCKOUT"
    ) -> None:
        """Build it; ``code`` is the condition that the pool gets."""
        super().__init__(
            f"{_NOT_ALL_RUNNING} after 14.69s. Expected {missing}, running 0, "
            f"transitioning {missing}. Current errors: [{code}]: Instance '{instance}' "
            f"creation failed: {why}"
        )
        self.code = code


def lacks_machines(pool: Pool) -> bool:
    """Whether a pool's conditions say that machines could not be made, of the zone or reserved."""
    conditions = pool.document.get("conditions", ())
    return any(each["message"].startswith(_NOT_ALL_RUNNING) for each in conditions)


class Fleet:
    """Adds and removes machines, in GKE's books and in Kubernetes."""

    def __init__(
        self,
        *,
        backend: ClusterBackend,
        latency: Latency,
        faults: FaultBook,
        reservations: Reservations,
    ) -> None:
        self._reservations = reservations
        self._backend = backend
        self._latency = latency
        self._faults = faults

    async def resize(self, pool: Pool, target: Mapping[str, int]) -> None:
        """Bring each zone of ``target`` to so many machines; empty and leave all other zones.

        Raises StockoutError when machines cannot be had; the target stays, as a managed instance
        group keeps trying.
        """
        pool.target = dict(target)
        await self.reconcile(pool)

    async def reconcile(self, pool: Pool) -> None:
        """Add and remove machines until the pool has its target.

        Raises StockoutError when a zone had none, once the others have theirs: each has a managed
        instance group of its own.
        """
        stockouts: list[StockoutError] = []
        async with pool.lock:
            for zone in [*pool.instances]:
                surplus = pool.instances[zone][pool.target.get(zone, 0) :]
                await self._remove(pool, zone, surplus)
                if zone not in pool.target:
                    del pool.instances[zone]
            for zone, count in pool.target.items():
                missing = count - len(pool.instances.setdefault(zone, []))
                if missing > 0:
                    try:
                        await self._add(pool, zone, missing)
                    except StockoutError as stockout:
                        stockouts.append(stockout)
        if stockouts:
            raise stockouts[0]

    async def remove(self, pool: Pool, *, zone: str, name: str) -> None:
        """Drain and remove one named machine, lowering the target with it."""
        async with pool.lock:
            if name in pool.instances.get(zone, ()):
                pool.target[zone] -= 1
                await self._remove(pool, zone, [name])

    async def lose(self, pool: Pool, *, zone: str, name: str) -> None:
        """Take one named machine away, undrained; the target stays, so that another comes."""
        async with pool.lock:
            if name in pool.instances.get(zone, ()):
                await self._backend.remove_node(pool.cluster, name, drain_timeout_s=0)
                pool.instances[zone].remove(name)
                pool.awaiting_driver.pop(name, None)

    async def recreate(self, pool: Pool) -> None:
        """Replace all machines in batches of maxSurge + maxUnavailable, as a surge upgrade does.

        Machines within maxUnavailable go before their replacements come, the others after. A pool
        with strategy BLUE_GREEN gets all replacements first. Raises StockoutError.
        """
        settings = pool.document["upgradeSettings"]
        if settings["strategy"] == "BLUE_GREEN":
            async with pool.lock:
                await self._replace_blue(pool, settings)
            return
        surge = int(settings.get("maxSurge", 0))
        unavailable = int(settings.get("maxUnavailable", 0))
        async with pool.lock:
            for zone in pool.instances:
                old = list(pool.instances[zone])
                while old:
                    batch, old = old[: surge + unavailable], old[surge + unavailable :]
                    await self._remove(pool, zone, batch[:unavailable])
                    await self._add(pool, zone, len(batch))
                    await self._remove(pool, zone, batch[unavailable:])

    async def _replace_blue(self, pool: Pool, settings: Document) -> None:
        """Bring as many green machines as there are blue ones, then drain the blue in batches.

        Where green ones cannot be had they go again, and the blue ones serve on. Soaks take no
        time here.
        """
        blue = [(zone, name) for zone, names in pool.instances.items() for name in names]
        try:
            pool.note_phase("CREATING_GREEN_POOL")
            for zone, names in pool.instances.items():
                await self._add(pool, zone, len(names))
            pool.note_phase("CORDONING_BLUE_POOL")
            for _, name in blue:
                await self._backend.cordon_node(pool.cluster, name)
            pool.note_phase("DRAINING_BLUE_POOL")
            size = blue_batch(settings, machines=len(blue))
            for start in range(0, len(blue), size):
                for zone, name in blue[start : start + size]:
                    await self._remove(pool, zone, [name])
        except StockoutError:
            pool.note_phase("ROLLBACK_STARTED")
            for zone, names in pool.instances.items():
                await self._remove(pool, zone, [n for n in names if (zone, n) not in blue])
            raise
        finally:
            pool.document.pop("updateInfo", None)

    async def mark(self, pool: Pool) -> None:
        """Write the pool's labels and taints onto its nodes, which stay as they are otherwise."""
        async with pool.lock:
            for zone, names in pool.instances.items():
                for name in names:
                    node = node_document(
                        project=pool.cluster.project, pool=pool.document, zone=zone, name=name
                    )
                    await self._backend.mark_node(
                        pool.cluster,
                        name,
                        labels=node["metadata"]["labels"],
                        taints=node["spec"]["taints"],
                    )

    async def _add(self, pool: Pool, zone: str, count: int) -> None:
        if self._faults.stockout(pool.name, zone=zone):
            raise StockoutError(
                instance=pool.new_instance_name(zone),
                why=f"The zone 'projects/{pool.cluster.project}/zones/{zone}' does not have enough "
                "resources available to fulfill the request.  Try a different zone, or try again "
                "later.",
                missing=count,
            )
        if why := self._reservations.missing_for(pool, zone=zone, count=count):
            # Which condition GKE gives such a pool, no source says.
            raise StockoutError(
                instance=pool.new_instance_name(zone), why=why, missing=count, code="UNKNOWN"
            )
        await asyncio.sleep(self._latency.node_boot_s)
        for _ in range(count):
            name = pool.new_instance_name(zone)
            node = node_document(
                project=pool.cluster.project, pool=pool.document, zone=zone, name=name
            )
            if needs_installer(pool.document["config"]):
                await self._backend.add_node(pool.cluster, without_gpus(node))
                pool.awaiting_driver[name] = node["status"]["capacity"][GPU_RESOURCE]
            else:
                await self._backend.add_node(pool.cluster, node)
            pool.instances[zone].append(name)

    async def _remove(self, pool: Pool, zone: str, names: Sequence[str]) -> None:
        if not names:
            return
        await asyncio.sleep(self._latency.node_delete_s)

        async def drain(name: str) -> None:
            await self._backend.remove_node(
                pool.cluster, name, drain_timeout_s=self._latency.drain_timeout_s
            )
            pool.instances[zone].remove(name)
            pool.awaiting_driver.pop(name, None)
            pool.drivers.pop(name, None)

        async with asyncio.TaskGroup() as group:
            for name in names:
                group.create_task(drain(name))
