"""What happens to running clusters by itself: machines that are lost, processes that restart."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, Literal

from aiohttp import web
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rehearsal.emulator.backend import ClusterBackend
    from rehearsal.emulator.fleet import Fleet
    from rehearsal.emulator.world import Pool, World

INCIDENTS_PATH = "/rehearsal/incidents"
"""Not Google's: POST one incident here; the answer comes when it has happened."""


class _Incident(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class MachineLoss(_Incident):
    """A machine is gone without a drain; its instance group gets another, as stock allows."""

    kind: Literal["machine-loss"] = "machine-loss"
    machine: str


class ZoneLoss(_Incident):
    """All machines of a zone are gone at once; the regional control plane is not."""

    kind: Literal["zone-loss"] = "zone-loss"
    zone: str


class PoolDrain(_Incident):
    """Every machine of the pools of that name is drained and made anew, as GKE's upgrades do."""

    kind: Literal["pool-drain"] = "pool-drain"
    pool: str


class ProcessRestart(_Incident):
    """A process of every control plane is killed and started again, as its host would."""

    kind: Literal["process-restart"] = "process-restart"
    process: Literal["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler"]


Incident = Annotated[
    MachineLoss | ZoneLoss | PoolDrain | ProcessRestart, Field(discriminator="kind")
]
_INCIDENT: TypeAdapter[Incident] = TypeAdapter(Incident)


class Incidents:
    """Lets incidents happen to the emulated world."""

    def __init__(self, *, world: World, fleet: Fleet, backend: ClusterBackend) -> None:
        self._world = world
        self._fleet = fleet
        self._backend = backend

    async def post(self, request: web.Request) -> web.Response:
        """Let the incident of a request happen."""
        try:
            incident = _INCIDENT.validate_json(await request.read())
        except ValidationError as error:
            return web.Response(status=HTTPStatus.BAD_REQUEST, text=str(error))
        if not await self.happen(incident):
            return web.Response(status=HTTPStatus.NOT_FOUND, text="nothing of that name")
        return web.Response(status=HTTPStatus.NO_CONTENT)

    async def happen(self, incident: Incident) -> bool:
        """Let it happen; return whether there was anything for it to happen to."""
        match incident:
            case MachineLoss():
                lost = [place for place in self._machines() if place[2] == incident.machine]
                await self._lose(lost)
                return bool(lost)
            case ZoneLoss():
                lost = [place for place in self._machines() if place[1] == incident.zone]
                await self._lose(lost)
                return bool(lost)
            case PoolDrain():
                pools = [pool for pool in self._pools() if pool.name == incident.pool]
                for pool in pools:
                    await self._fleet.recreate(pool)
                return bool(pools)
            case ProcessRestart():
                clusters = list(self._world.clusters())
                for cluster in clusters:
                    await self._backend.restart(cluster.ref, incident.process)
                return bool(clusters)

    def _pools(self) -> Iterator[Pool]:
        for cluster in self._world.clusters():
            yield from cluster.pools.values()

    def _machines(self) -> Iterator[tuple[Pool, str, str]]:
        for pool in self._pools():
            for zone, names in pool.instances.items():
                yield from ((pool, zone, name) for name in names)

    async def _lose(self, machines: list[tuple[Pool, str, str]]) -> None:
        async with asyncio.TaskGroup() as group:
            for pool, zone, name in machines:
                group.create_task(self._fleet.lose(pool, zone=zone, name=name))
