"""The cluster autoscaler: looks at pods, resizes autoscaled pools, retries missing machines."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING

from rehearsal.emulator.event_recorder import EventRecorder
from rehearsal.emulator.fleet import StockoutError, lacks_machines
from rehearsal.emulator.node_template import node_document
from rehearsal.emulator.pod_fit import allows, amounts, requests, take
from rehearsal.emulator.scale_up_events import GrownGroup, failed, not_triggered, triggered
from rehearsal.emulator.scaling import NodeView, PoolView, ZoneView, decide

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rehearsal.emulator.backend import ClusterBackend, Workloads
    from rehearsal.emulator.document import Document
    from rehearsal.emulator.fleet import Fleet
    from rehearsal.emulator.latency import Latency
    from rehearsal.emulator.operations import OperationBook
    from rehearsal.emulator.world import Cluster, Pool, World

logger = logging.getLogger(__name__)

_FINISHED = ("Succeeded", "Failed")


class Autoscaler:
    """Scales the pools of all clusters."""

    def __init__(
        self,
        *,
        world: World,
        operations: OperationBook,
        fleet: Fleet,
        backend: ClusterBackend,
        latency: Latency,
    ) -> None:
        self._world = world
        self._operations = operations
        self._fleet = fleet
        self._backend = backend
        self._recorder = EventRecorder(backend)
        self._latency = latency
        self._busy_at: dict[str, float] = {}
        """When each machine was last seen running something, by name (monotonic seconds).

        It is not kept: GKE's autoscaler forgets, too, when it is started again."""
        self._let_be_until: dict[str, float] = {}
        """Until when a zone is not asked for a pool's machines, by their names' common start."""

    async def look(self) -> None:
        """Make one round over all clusters."""
        await asyncio.gather(*(self._guarded(c) for c in list(self._world.clusters())))

    async def _guarded(self, cluster: Cluster) -> None:
        try:
            await self.look_at(cluster)
        except Exception:
            logger.exception("autoscaling %s failed; trying again", cluster.path)

    async def look_at(self, cluster: Cluster) -> None:
        """Make one round over a cluster's pools that no operation is working on."""
        busy = {operation.pool for operation in self._operations.running(cluster.ref)}
        if None in busy or cluster.document["status"] != "RUNNING":
            return
        pools = [pool for name, pool in cluster.pools.items() if name not in busy]
        for pool in pools:
            await self._retry_missing(pool)
        ours = [pool for pool in pools if not _is_queued(pool)]
        if not any(map(_is_scaled, ours)):
            return
        workloads = await self._backend.workloads(cluster.ref)
        views = [self._view(pool, workloads) for pool in ours]
        decision = decide(
            views,
            pending=[pod for pod in workloads.pods if _is_unschedulable(pod)],
            scale_down_after_s=self._latency.scale_down_after_s,
        )
        for name, target in decision.targets.items():
            await self._grow(cluster.pools[name], target, for_pods=decision.helped.get(name, []))
        if not decision.targets:
            await self._recorder.tell(cluster.ref, not_triggered(decision.unhelped, views))
        for removal in decision.removals:
            pool = cluster.pools[removal.pool]
            await self._fleet.remove(pool, zone=removal.zone, name=removal.node)
            self._busy_at.pop(removal.node, None)

    async def _retry_missing(self, pool: Pool) -> None:
        """Try again for machines that were out of stock, as managed instance groups do.

        A pool whose creation failed for another reason (ERROR) has no group that tries.
        """
        if pool.document["status"] == "ERROR":
            return
        if _present(pool) != pool.target:
            await self._resize(pool, pool.target)
        elif _is_scaled(pool) and lacks_machines(pool) and not self._waits_for(pool):
            pool.settle()

    async def _grow(self, pool: Pool, target: dict[str, int], *, for_pods: list[Document]) -> None:
        """Resize a pool, and tell the pods that it grows for, or that there was no machine."""
        await self._recorder.tell(pool.cluster, triggered(for_pods, _groups(pool, target)))
        if stockout := await self._resize(pool, target):
            zones = [zone for zone, count in _present(pool).items() if count < target[zone]]
            await self._recorder.tell(pool.cluster, failed(for_pods, zones, code=stockout.code))

    async def _resize(self, pool: Pool, target: dict[str, int]) -> StockoutError | None:
        logger.info("autoscaler: %s %s to %s machines", pool.cluster.name, pool.name, target)
        try:
            await self._fleet.resize(pool, target)
        except StockoutError as stockout:
            pool.settle_with_error(
                status="RUNNING_WITH_ERROR", code=stockout.code, message=str(stockout)
            )
            if _is_scaled(pool):
                self._give_up(pool)
            return stockout
        if not self._waits_for(pool):
            pool.settle()
        return None

    def _give_up(self, pool: Pool) -> None:
        """Let zones without stock be for a while, so that the next round asks others.

        The cluster autoscaler deletes machines that could not be made, and backs off from their
        group (kubernetes/autoscaler, ``deleteCreatedNodesWithErrors``). The next round asks the
        pool's other zones, or another pool.
        """
        present = _present(pool)
        until = time.monotonic() + self._latency.stockout_back_off_s
        for zone, wanted in pool.target.items():
            if present[zone] < wanted:
                self._let_be_until[pool.base_name(zone)] = until
        pool.target = present

    def _waits_for(self, pool: Pool) -> bool:
        return any(self._is_let_be(pool, zone) for zone in pool.target)

    def _is_let_be(self, pool: Pool, zone: str) -> bool:
        return time.monotonic() < self._let_be_until.get(pool.base_name(zone), 0)

    def _view(self, pool: Pool, workloads: Workloads) -> PoolView:
        return PoolView(
            name=pool.name,
            autoscaling=pool.document["autoscaling"],
            is_spot=bool(pool.document["config"].get("spot")),
            zones={
                zone: ZoneView(
                    nodes=tuple(self._node(pool, zone, name, workloads.pods) for name in names),
                    template=_template(pool, zone, workloads.daemon_sets),
                    is_out_of_stock=self._is_let_be(pool, zone),
                )
                for zone, names in pool.instances.items()
            },
        )

    def _node(self, pool: Pool, zone: str, name: str, pods: Iterable[Document]) -> NodeView:
        empty = _machine(pool, zone, name)
        own = [pod for pod in pods if pod["spec"].get("nodeName") == name and not _is_over(pod)]
        for pod in own:
            take(empty.free, requests(pod["spec"]))
        now_s = time.monotonic()
        if any(not _is_of_daemon_set(pod) for pod in own):
            self._busy_at[name] = now_s
        idle_s = now_s - self._busy_at.setdefault(name, now_s)
        return NodeView(
            name=name, labels=empty.labels, taints=empty.taints, free=empty.free, idle_s=idle_s
        )


def _groups(pool: Pool, target: dict[str, int]) -> Iterator[GrownGroup]:
    """Return the zones' groups that are to grow."""
    bounds = pool.document["autoscaling"]
    for zone, present in _present(pool).items():
        if target[zone] > present:
            yield GrownGroup(
                url=pool.group_url(zone).replace("instanceGroupManagers", "instanceGroups"),
                present=present,
                wanted=target[zone],
                at_most=bounds.get("totalMaxNodeCount") or bounds.get("maxNodeCount", 0),
            )


def _present(pool: Pool) -> dict[str, int]:
    return {zone: len(names) for zone, names in pool.instances.items()}


def _is_scaled(pool: Pool) -> bool:
    return bool(pool.document["autoscaling"].get("enabled"))


def _is_queued(pool: Pool) -> bool:
    """Tell whether its nodes come "only through queuing via the ProvisioningRequest API".

    The words are the discovery document's (``QueuedProvisioning.enabled``). No pod makes it grow.
    """
    return bool(pool.document.get("queuedProvisioning", {}).get("enabled"))


def _machine(pool: Pool, zone: str, name: str) -> NodeView:
    node = node_document(project=pool.cluster.project, pool=pool.document, zone=zone, name=name)
    return NodeView(
        name=name,
        labels=node["metadata"]["labels"],
        taints=tuple(node["spec"]["taints"]),
        free=amounts(node["status"]["allocatable"]),
    )


def _template(pool: Pool, zone: str, daemon_sets: Iterable[Document]) -> NodeView:
    """Return a machine that the pool could add, without what DaemonSets will take of it."""
    node = _machine(pool, zone, "")
    for daemon_set in daemon_sets:
        spec = daemon_set["spec"]["template"]["spec"]
        if allows(spec, labels=node.labels, taints=node.taints):
            take(node.free, requests(spec))
    return node


def _is_unschedulable(pod: Document) -> bool:
    conditions = pod.get("status", {}).get("conditions") or ()
    return not pod["spec"].get("nodeName") and any(
        condition["type"] == "PodScheduled" and condition.get("reason") == "Unschedulable"
        for condition in conditions
    )


def _is_over(pod: Document) -> bool:
    return pod.get("status", {}).get("phase") in _FINISHED


def _is_of_daemon_set(pod: Document) -> bool:
    owners = pod["metadata"].get("ownerReferences") or ()
    return any(owner["kind"] == "DaemonSet" for owner in owners)
