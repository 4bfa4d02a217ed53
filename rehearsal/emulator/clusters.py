"""container.projects.locations.clusters, operations and serverConfig: the handlers."""

from __future__ import annotations

import asyncio
import base64
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from rehearsal.emulator import cluster_spec
from rehearsal.emulator.backend import ClusterRef
from rehearsal.emulator.cluster_network import network_project
from rehearsal.emulator.cluster_setters import SETTERS
from rehearsal.emulator.cluster_update import apply, named_pool, nodes_update
from rehearsal.emulator.errors import AlreadyExistsError
from rehearsal.emulator.keys import check_keys
from rehearsal.emulator.maintenance import held_back
from rehearsal.emulator.managed_prometheus import definitions, is_managed
from rehearsal.emulator.node_pool_spec import defaults
from rehearsal.emulator.world import Cluster, parent_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from rehearsal.emulator.backend import ClusterBackend
    from rehearsal.emulator.calls import Call, Handlers
    from rehearsal.emulator.cluster_setters import Setter
    from rehearsal.emulator.document import Document
    from rehearsal.emulator.latency import Latency
    from rehearsal.emulator.node_pools import NodePools
    from rehearsal.emulator.operations import OperationBook
    from rehearsal.emulator.world import Project, World

_CHANNELS = ("RAPID", "REGULAR", "STABLE", "EXTENDED")


class Clusters:
    """Clusters: each has a control plane of the backend."""

    def __init__(
        self,
        *,
        world: World,
        operations: OperationBook,
        node_pools: NodePools,
        backend: ClusterBackend,
        latency: Latency,
    ) -> None:
        self._world = world
        self._operations = operations
        self._node_pools = node_pools
        self._backend = backend
        self._latency = latency

    def handlers(self) -> Handlers:
        """Return the handlers by Google's method ids."""
        prefix = "container.projects.locations."
        return {
            f"{prefix}getServerConfig": self.get_server_config,
            f"{prefix}operations.get": self.get_operation,
            f"{prefix}operations.list": self.list_operations,
            f"{prefix}clusters.create": self.create,
            f"{prefix}clusters.get": self.get,
            f"{prefix}clusters.fetchClusterUpgradeInfo": self.fetch_upgrade_info,
            f"{prefix}clusters.list": self.list,
            f"{prefix}clusters.delete": self.delete,
            f"{prefix}clusters.update": self.update,
            **{
                f"{prefix}clusters.{method}": partial(self._set, setter)
                for method, setter in SETTERS.items()
            },
        }

    def _project(self, call: Call) -> Project:
        return self._world.project(call["projectsId"])

    def _cluster(self, call: Call) -> Cluster:
        return self._project(call).cluster(call["locationsId"], call["clustersId"])

    async def get_server_config(self, call: Call) -> Document:
        """Return the versions that are served: one."""
        del call
        version = defaults("versions")["master"]
        return {
            "defaultClusterVersion": version,
            "validMasterVersions": [version],
            "validNodeVersions": [version],
            "defaultImageType": "COS_CONTAINERD",
            "validImageTypes": ["COS_CONTAINERD"],
            "channels": [
                {"channel": channel, "defaultVersion": version, "validVersions": [version]}
                for channel in _CHANNELS
            ],
        }

    async def get_operation(self, call: Call) -> Document:
        """Return an operation as it stands."""
        return self._operations.get(
            project=call["projectsId"], location=call["locationsId"], name=call["operationsId"]
        ).answer()

    async def list_operations(self, call: Call) -> Document:
        """Return a location's operations."""
        found = self._operations.all_in(project=call["projectsId"], location=call["locationsId"])
        return {"operations": [operation.answer() for operation in found]}

    async def get(self, call: Call) -> Document:
        """Return one cluster."""
        return self._cluster(call).answer()

    async def fetch_upgrade_info(self, call: Call) -> Document:
        """Return what GKE goes to by itself: the one version that is served."""
        document = self._cluster(call).document
        version = defaults("versions")["master"]
        held = held_back(
            document["maintenancePolicy"],
            old=document["currentMasterVersion"],
            new=version,
            now=datetime.now(UTC),
        )
        paused = ["MAINTENANCE_EXCLUSION_NO_UPGRADES"] if held.control_plane else []
        return {
            "patchTargetVersion": version,
            "autoUpgradeStatus": ["UPGRADE_PAUSED" if paused else "ACTIVE"],
            "pausedReason": paused,
        }

    async def list(self, call: Call) -> Document:
        """Return the clusters of a location, or of all with ``-``."""
        return {
            "clusters": [
                cluster.answer()
                for (location, _), cluster in self._project(call).clusters.items()
                if call["locationsId"] in ("-", location)
            ]
        }

    async def create(self, call: Call) -> Document:
        """Create a cluster; the operation ends when its control plane and pools are ready."""
        project, location = self._project(call), call["locationsId"]
        requested = call.body.get("cluster", {})
        document = cluster_spec.settle(
            requested,
            project=project,
            network_project=network_project(self._world, project, requested),
            location=location,
            service_url=call.service_url,
            cluster_id=self._world.new_id(),
        )
        check_keys(self._world, project, cluster=requested)
        name = document["name"]
        if (location, name) in project.clusters:
            raise AlreadyExistsError(
                f"Already exists: {parent_of(project.name, location)}/clusters/{name}."
            )
        ref = ClusterRef(
            project=project.name,
            location=location,
            name=name,
            service_cidr=document["servicesIpv4Cidr"],
            pod_cidr=document["clusterIpv4Cidr"],
        )
        cluster = Cluster(ref=ref, document=document)
        pools = [
            self._node_pools.build(cluster, wished, service_url=call.service_url)
            for wished in cluster_spec.requested_pools(requested)
        ]
        project.clusters[location, name] = cluster

        async def work() -> None:
            try:
                call.strike()
                # The documented duration is that of the whole operation, its pools included, and
                # the real control plane's start is a part of it.
                boot_s = self._latency.node_boot_s if pools else 0.0
                alone_s = max(0.0, self._latency.cluster_create_s - boot_s)
                endpoint, _ = await asyncio.gather(
                    self._backend.create(ref), asyncio.sleep(alone_s)
                )
                await self._define(cluster)
                ca = base64.b64encode(endpoint.ca_certificate.encode()).decode()
                cluster.document = cluster_spec.with_endpoint(
                    cluster.document, endpoint, ca_base64=ca
                )
                await asyncio.gather(*(self._node_pools.bring_up(pool) for pool in pools))
            except Exception as error:
                cluster.document |= {"status": "ERROR", "statusMessage": str(error)}
                raise
            cluster.document["status"] = "RUNNING"

        return await self._operations.run(
            "CREATE_CLUSTER", cluster=ref, service_url=call.service_url, work=work
        )

    async def delete(self, call: Call) -> Document:
        """Stop the control plane and forget the cluster with its pools."""
        project, cluster = self._project(call), self._cluster(call)
        self._operations.check_compatible(cluster.ref, pool=None)
        status = cluster.document["status"]
        cluster.document["status"] = "STOPPING"

        async def work() -> None:
            try:
                call.strike()
                await asyncio.sleep(self._latency.cluster_delete_s)
                await self._backend.delete(cluster.ref)
            except Exception:
                cluster.document["status"] = status
                raise
            del project.clusters[cluster.ref.location, cluster.ref.name]

        return await self._operations.run(
            "DELETE_CLUSTER", cluster=cluster.ref, service_url=call.service_url, work=work
        )

    async def update(self, call: Call) -> Document:
        """Change what the ``desired*`` fields name."""
        cluster = self._cluster(call)
        update = call.body.get("update", {})
        of_nodes = nodes_update(update)
        if of_nodes:
            pool = named_pool(cluster, update)
            return await self._node_pools.change_fields(pool, of_nodes, call)
        self._operations.check_compatible(cluster.ref, pool=None)
        wished = {"databaseEncryption": update.get("desiredDatabaseEncryption", {})}
        check_keys(self._world, self._project(call), cluster=wished)
        write = apply(cluster, update)
        return await self._change(
            "UPDATE_CLUSTER", cluster, call, write, then=lambda: self._define(cluster)
        )

    async def _set(self, setter: Setter, call: Call) -> Document:
        """Set the one thing that a method is about."""
        cluster = self._cluster(call)
        self._operations.check_compatible(cluster.ref, pool=None)
        write = setter.prepare(cluster, call.body)
        return await self._change(setter.operation, cluster, call, write)

    async def _define(self, cluster: Cluster) -> None:
        """Bring what managed collection needs; where it is switched off again, that stays."""
        if is_managed(cluster.document):
            await self._backend.define(cluster.ref, definitions())

    async def _change(
        self,
        kind: str,
        cluster: Cluster,
        call: Call,
        write: Callable[[], None],
        *,
        then: Callable[[], Awaitable[None]] | None = None,
    ) -> Document:
        """Run ``write`` on a standing cluster: RECONCILING, then RUNNING."""
        cluster.document["status"] = "RECONCILING"

        async def work() -> None:
            try:
                call.strike()
                await asyncio.sleep(self._latency.cluster_update_s)
                zones = cluster.document["locations"]
                write()
                if cluster.document["locations"] != zones:
                    await self._node_pools.relocate(cluster)
                if then is not None:
                    await then()
            finally:
                cluster.document["status"] = "RUNNING"

        return await self._operations.run(
            kind, cluster=cluster.ref, service_url=call.service_url, work=work
        )
