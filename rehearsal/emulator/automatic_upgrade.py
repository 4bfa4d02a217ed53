"""What GKE does by itself to a cluster on a release channel: control plane, then nodes."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated

from aiohttp import web
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rehearsal.emulator.errors import GoogleError
from rehearsal.emulator.maintenance import held_back

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from rehearsal.emulator.fleet import Fleet
    from rehearsal.emulator.latency import Latency
    from rehearsal.emulator.operations import OperationBook
    from rehearsal.emulator.world import Cluster, Pool, World

UPGRADE_PATH = "/rehearsal/upgrade"
"""Not Google's: POST {"version": ...} here, and every cluster is upgraded as if it were time."""


class Upgrade(BaseModel):
    """A version that GKE has found good for a channel."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: Annotated[str, Field(pattern=r"^\d+\.\d+\.\d+-gke\.\d+$")]


class AutomaticUpgrades:
    """Upgrades that nobody asked the API for; they are operations like any other."""

    def __init__(
        self, *, world: World, operations: OperationBook, fleet: Fleet, latency: Latency
    ) -> None:
        self._world = world
        self._operations = operations
        self._fleet = fleet
        self._latency = latency

    async def begin(self, request: web.Request) -> web.Response:
        """Upgrade all clusters; answer, when all is done, what exclusions have held back."""
        try:
            version = Upgrade.model_validate_json(await request.read()).version
        except ValidationError as error:
            return web.Response(status=HTTPStatus.BAD_REQUEST, text=str(error))
        held: dict[str, list[str]] = {}
        try:
            for cluster in list(self._world.clusters()):
                held[cluster.path] = await self._upgrade(cluster, version, url=str(request.url))
        except GoogleError as error:
            return web.json_response(error.body(), status=error.code)
        return web.json_response({"held_back": held})

    async def _upgrade(self, cluster: Cluster, version: str, *, url: str) -> list[str]:
        held = held_back(
            cluster.document["maintenancePolicy"],
            old=cluster.document["currentMasterVersion"],
            new=version,
            now=datetime.now(UTC),
        )
        if held.control_plane:
            # Nodes are never newer than their control plane.
            return [f"control plane and nodes: {', '.join(held.control_plane)}"]
        self._operations.check_compatible(cluster.ref, pool=None)
        work = partial(self._master, cluster, version)
        await self._run("UPGRADE_MASTER", cluster, None, work, url)
        if held.nodes:
            return [f"nodes: {', '.join(held.nodes)}"]
        for pool in list(cluster.pools.values()):
            self._operations.check_compatible(cluster.ref, pool=pool.name)
            work = partial(self._nodes, pool, version)
            await self._run("UPGRADE_NODES", cluster, pool, work, url)
        cluster.document["currentNodeVersion"] = version
        return []

    async def _master(self, cluster: Cluster, version: str) -> None:
        cluster.document["status"] = "RECONCILING"
        await asyncio.sleep(self._latency.cluster_update_s)
        cluster.document |= {"currentMasterVersion": version, "status": "RUNNING"}

    async def _nodes(self, pool: Pool, version: str) -> None:
        pool.document |= {"version": version, "status": "RECONCILING"}
        await self._fleet.recreate(pool)
        pool.settle()

    async def _run(
        self,
        kind: str,
        cluster: Cluster,
        pool: Pool | None,
        work: Callable[[], Awaitable[None]],
        url: str,
    ) -> None:
        answer = await self._operations.run(
            kind,
            cluster=cluster.ref,
            pool=pool.name if pool else None,
            service_url=url.removesuffix(UPGRADE_PATH),
            work=work,
        )
        operation = self._operations.get(
            project=cluster.ref.project, location=cluster.ref.location, name=answer["name"]
        )
        if operation.task is not None:
            await operation.task
