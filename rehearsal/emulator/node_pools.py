"""container.projects.locations.clusters.nodePools: the handlers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rehearsal.emulator import node_pool_spec
from rehearsal.emulator.errors import AlreadyExistsError, InvalidArgumentError
from rehearsal.emulator.fleet import StockoutError
from rehearsal.emulator.keys import check_disk_key
from rehearsal.emulator.node_pool_update import updated
from rehearsal.emulator.references import check_references
from rehearsal.emulator.service_accounts import check_service_account
from rehearsal.emulator.world import Cluster, Pool

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from rehearsal.emulator.calls import Call, Handlers
    from rehearsal.emulator.document import Document
    from rehearsal.emulator.fleet import Fleet
    from rehearsal.emulator.operations import OperationBook
    from rehearsal.emulator.reservations import Reservations
    from rehearsal.emulator.world import World


class NodePools:
    """Node pools of clusters."""

    def __init__(
        self,
        *,
        world: World,
        operations: OperationBook,
        fleet: Fleet,
        reservations: Reservations,
    ) -> None:
        self._reservations = reservations
        self._world = world
        self._operations = operations
        self._fleet = fleet

    def handlers(self) -> Handlers:
        """Return the handlers by Google's method ids."""
        prefix = "container.projects.locations.clusters.nodePools."
        return {
            f"{prefix}create": self.create,
            f"{prefix}delete": self.delete,
            f"{prefix}get": self.get,
            f"{prefix}list": self.list,
            f"{prefix}update": self.update,
            f"{prefix}setSize": self.set_size,
            f"{prefix}setAutoscaling": self.set_autoscaling,
            f"{prefix}setManagement": self.set_management,
        }

    def _cluster(self, call: Call) -> Cluster:
        project = self._world.project(call["projectsId"])
        return project.cluster(call["locationsId"], call["clustersId"])

    def _pool(self, call: Call) -> Pool:
        return self._cluster(call).pool(call["nodePoolsId"])

    async def get(self, call: Call) -> Document:
        """Return one pool."""
        return self._cluster(call).show(self._pool(call))

    async def list(self, call: Call) -> Document:
        """Return a cluster's pools."""
        cluster = self._cluster(call)
        return {"nodePools": [cluster.show(pool) for pool in cluster.pools.values()]}

    def build(self, cluster: Cluster, requested: Document, *, service_url: str) -> Pool:
        """Check a requested pool and add it to ``cluster``, PROVISIONING and without machines.

        Raises GoogleError as GKE refuses it.
        """
        cpu_pools = [
            p for p in cluster.pools.values() if not p.document["config"].get("accelerators")
        ]
        document = node_pool_spec.settle(
            requested, cluster=cluster.document, cluster_has_cpu_pool=bool(cpu_pools)
        )
        if document["name"] in cluster.pools:
            raise AlreadyExistsError(
                f"Already exists: {cluster.path}/nodePools/{document['name']}."
            )
        project = self._world.project(cluster.ref.project)
        check_service_account(project, document["config"]["serviceAccount"])
        check_references(document, project=project)
        check_disk_key(self._world, project, config=document["config"])
        self._reservations.check(document, project=project.name)
        document["status"] = "PROVISIONING"
        document["selfLink"] = f"{service_url}/{cluster.path}/nodePools/{document['name']}"
        target = node_pool_spec.initial_sizes(document)
        pool = Pool(
            cluster=cluster.ref,
            document=document,
            instances={zone: [] for zone in target},
            target=target,
        )
        cluster.pools[pool.name] = pool
        return pool

    async def bring_up(self, pool: Pool) -> None:
        """Get a new pool its machines. Raises StockoutError, leaving RUNNING_WITH_ERROR."""
        try:
            await self._fleet.reconcile(pool)
        except StockoutError as stockout:
            pool.settle_with_error(
                status="RUNNING_WITH_ERROR", code=stockout.code, message=str(stockout)
            )
            raise
        except Exception as error:
            pool.settle_with_error(status="ERROR", code="UNKNOWN", message=str(error))
            raise
        pool.settle()

    async def relocate(self, cluster: Cluster) -> None:
        """Bring all pools into the cluster's zones, as an update of its locations does.

        Raises StockoutError where a zone has no machine left.
        """
        zones = cluster.document["locations"]
        for pool in cluster.pools.values():
            pool.document["locations"] = list(zones)
            pool.target = dict.fromkeys(zones, max(pool.target.values(), default=0))
            await self.bring_up(pool)

    async def create(self, call: Call) -> Document:
        """Add a pool; the operation ends when its machines are there."""
        cluster = self._cluster(call)
        requested = call.body.get("nodePool", {})
        self._operations.check_compatible(cluster.ref, pool=requested.get("name", ""))
        pool = self.build(cluster, requested, service_url=call.service_url)

        async def work() -> None:
            try:
                call.strike()
            except Exception as error:
                pool.settle_with_error(status="ERROR", code="UNKNOWN", message=str(error))
                raise
            await self.bring_up(pool)

        return await self._run("CREATE_NODE_POOL", pool, call, work)

    async def delete(self, call: Call) -> Document:
        """Drain and remove a pool."""
        cluster = self._cluster(call)
        pool = cluster.pool(call["nodePoolsId"])
        self._operations.check_compatible(cluster.ref, pool=pool.name)
        pool.document["status"] = "STOPPING"

        async def work() -> None:
            try:
                call.strike()
                await self._fleet.resize(pool, {})
            except Exception as error:
                pool.settle_with_error(status="ERROR", code="UNKNOWN", message=str(error))
                raise
            del cluster.pools[pool.name]

        return await self._run("DELETE_NODE_POOL", pool, call, work)

    async def set_size(self, call: Call) -> Document:
        """Set the machines per zone."""
        pool = self._pool(call)
        count: int = call.body.get("nodeCount", 0)
        if count < 0:
            raise InvalidArgumentError(f"nodeCount is {count}; it must be 0 or more.")
        self._operations.check_compatible(pool.cluster, pool=pool.name)
        zones: list[str] = pool.document["locations"]
        target = dict.fromkeys(zones, count)
        return await self._change(
            "SET_NODE_POOL_SIZE", pool, call, lambda: self._fleet.resize(pool, target)
        )

    async def update(self, call: Call) -> Document:
        """Change one group of fields."""
        return await self.change_fields(self._pool(call), call.body, call)

    async def change_fields(self, pool: Pool, request: Document, call: Call) -> Document:
        """Do what an UpdateNodePoolRequest asks; machines are replaced where GKE replaces them."""
        self._operations.check_compatible(pool.cluster, pool=pool.name)
        update = updated(pool.document, request)

        async def change() -> None:
            zones_before = pool.document["locations"]
            pool.document = update.document | {"status": "RECONCILING"}
            per_zone = max(pool.target.values(), default=0)
            if pool.document["locations"] != zones_before:
                target = dict.fromkeys(pool.document["locations"], per_zone)
                await self._fleet.resize(pool, target)
            if update.marks_nodes:
                await self._fleet.mark(pool)
            if update.rolls_nodes:
                await self._fleet.recreate(pool)

        return await self._change("UPGRADE_NODES", pool, call, change)

    async def set_autoscaling(self, call: Call) -> Document:
        """Change the bounds between which the autoscaler works."""
        pool = self._pool(call)
        autoscaling = call.body.get("autoscaling", {})
        node_pool_spec.check_autoscaling(autoscaling)
        self._operations.check_compatible(pool.cluster, pool=pool.name)

        async def change() -> None:
            pool.document["autoscaling"] = autoscaling

        return await self._change("UPDATE_CLUSTER", pool, call, change)

    async def set_management(self, call: Call) -> Document:
        """Change automatic upgrade and repair."""
        cluster = self._cluster(call)
        pool = cluster.pool(call["nodePoolsId"])
        management = call.body.get("management", {})
        node_pool_spec.check_management(
            management, channel=node_pool_spec.channel_of(cluster.document)
        )
        self._operations.check_compatible(pool.cluster, pool=pool.name)

        async def change() -> None:
            pool.document["management"] = management

        return await self._change("SET_NODE_POOL_MANAGEMENT", pool, call, change)

    async def _change(
        self, kind: str, pool: Pool, call: Call, change: Callable[[], Awaitable[None]]
    ) -> Document:
        """Run ``change`` on a standing pool: RECONCILING, then RUNNING or RUNNING_WITH_ERROR."""
        pool.document["status"] = "RECONCILING"

        async def work() -> None:
            try:
                call.strike()
                await change()
            except Exception as error:
                code = error.code if isinstance(error, StockoutError) else "UNKNOWN"
                pool.settle_with_error(status="RUNNING_WITH_ERROR", code=code, message=str(error))
                raise
            pool.settle()

        return await self._run(kind, pool, call, work)

    async def _run(
        self, kind: str, pool: Pool, call: Call, work: Callable[[], Awaitable[None]]
    ) -> Document:
        return await self._operations.run(
            kind, cluster=pool.cluster, pool=pool.name, service_url=call.service_url, work=work
        )
