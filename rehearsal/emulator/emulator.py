"""The emulator as a whole: state, handlers, loops and the HTTP server around them."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from aiohttp import web

from rehearsal.emulator.automatic_upgrade import AutomaticUpgrades
from rehearsal.emulator.autoscaler import Autoscaler
from rehearsal.emulator.buckets import Buckets
from rehearsal.emulator.clusters import Clusters
from rehearsal.emulator.compute_operations import ComputeOperations
from rehearsal.emulator.compute_resources import ComputeResources
from rehearsal.emulator.driver_installation import LOOK_EVERY_S, DriverInstallation
from rehearsal.emulator.faults import FaultBook
from rehearsal.emulator.fleet import Fleet
from rehearsal.emulator.iam_policies import IamPolicies
from rehearsal.emulator.incidents import Incidents
from rehearsal.emulator.instance_groups import InstanceGroups
from rehearsal.emulator.kept_world import kept_world, world_of
from rehearsal.emulator.keys import Keys
from rehearsal.emulator.legacy_zones import zone_handlers
from rehearsal.emulator.locations import Locations
from rehearsal.emulator.networks import Networks
from rehearsal.emulator.node_pools import NodePools
from rehearsal.emulator.operations import OperationBook
from rehearsal.emulator.projects import Projects
from rehearsal.emulator.quiescence import Quiescence
from rehearsal.emulator.repositories import Repositories
from rehearsal.emulator.request_log import RequestLog
from rehearsal.emulator.reservations import Reservations
from rehearsal.emulator.restrictions import RestrictionBook, Restrictions
from rehearsal.emulator.server import Server
from rehearsal.emulator.service_accounts import ServiceAccounts
from rehearsal.emulator.services import Services
from rehearsal.emulator.shared_vpc import SharedVpc
from rehearsal.emulator.world import World

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from rehearsal.emulator.backend import ClusterBackend
    from rehearsal.emulator.document import Document
    from rehearsal.emulator.latency import Latency

logger = logging.getLogger(__name__)

LOOPBACK = "127.0.0.1"
_SHUTDOWN_S = 1.0


class Emulator:
    """Google's APIs for GKE fleets, on a loopback port.

    Start and stop it in one event loop. What it holds is lost when it stops, unless it has come to
    rest: then ``kept`` has it, and another emulator goes on with that.
    """

    def __init__(
        self,
        *,
        backend: ClusterBackend,
        latency: Latency,
        request_log: Path,
        kept: Document | None = None,
        at_rest: Callable[[], None] = lambda: None,
    ) -> None:
        """Build it over ``backend``; every request is appended to ``request_log``.

        Goes on with what another emulator has ``kept``, and calls ``at_rest`` once it has been
        asked to come to rest and has.
        """
        self.faults = FaultBook()
        self.log = RequestLog(request_log)
        self.world = World() if kept is None else world_of(kept["world"])
        self.restrictions = RestrictionBook()
        self._backend = backend
        self._autoscaler_interval_s = latency.autoscaler_interval_s
        self._operations = OperationBook(hold_answer_s=latency.hold_answer_s)
        self._compute_operations = ComputeOperations(world=self.world, latency=latency)
        self.quiescence = Quiescence(self._unfinished, reached=at_rest)
        reservations = Reservations(world=self.world)
        fleet = Fleet(
            backend=backend, latency=latency, faults=self.faults, reservations=reservations
        )
        node_pools = NodePools(
            world=self.world,
            operations=self._operations,
            fleet=fleet,
            reservations=reservations,
        )
        clusters = Clusters(
            world=self.world,
            operations=self._operations,
            node_pools=node_pools,
            backend=backend,
            latency=latency,
        )
        self.autoscaler = Autoscaler(
            world=self.world,
            operations=self._operations,
            fleet=fleet,
            backend=backend,
            latency=latency,
        )
        self.driver_installation = DriverInstallation(world=self.world, backend=backend)
        container = {**clusters.handlers(), **node_pools.handlers()}
        server = Server(
            handlers={
                **container,
                **zone_handlers(container),
                **self._compute_operations.handlers(),
                **Networks(world=self.world, operations=self._compute_operations).handlers(),
                **SharedVpc(world=self.world, operations=self._compute_operations).handlers(),
                **ComputeResources(
                    world=self.world,
                    operations=self._compute_operations,
                    reservations=reservations,
                ).handlers(),
                **InstanceGroups(world=self.world).handlers(),
                **ServiceAccounts(world=self.world).handlers(),
                **Locations(world=self.world, restrictions=self.restrictions).handlers(),
                **Buckets(world=self.world, restrictions=self.restrictions).handlers(),
                **Projects(world=self.world, restrictions=self.restrictions).handlers(),
                **IamPolicies(world=self.world, restrictions=self.restrictions).handlers(),
                **Repositories(world=self.world).handlers(),
                **Keys(world=self.world).handlers(),
                **Services(restrictions=self.restrictions).handlers(),
            },
            faults=self.faults,
            restrictions=self.restrictions,
            incidents=Incidents(world=self.world, fleet=fleet, backend=backend),
            quiescence=self.quiescence,
            log=self.log,
            upgrades=AutomaticUpgrades(
                world=self.world, operations=self._operations, fleet=fleet, latency=latency
            ),
        )
        self._runner = web.AppRunner(
            server.application(), access_log=None, shutdown_timeout=_SHUTDOWN_S
        )
        self._loops: list[asyncio.Task[None]] = []
        self._port: int | None = None
        if kept is not None:
            self._take_up(kept)

    @property
    def base_url(self) -> str:
        """URL that all endpoints start with, without a slash at the end.

        Raises RuntimeError before ``start``.
        """
        return f"http://{LOOPBACK}:{self.port}"

    @property
    def port(self) -> int:
        """Where it serves. Raises RuntimeError before ``start``."""
        if self._port is None:
            raise RuntimeError("The emulator has no port before it is started.")
        return self._port

    async def start(self, *, port: int = 0) -> None:
        """Serve on a loopback port; 0 takes a free one. Raises OSError when it is taken.

        Clusters of an emulator that has kept them get their control planes first.
        """
        for cluster in self.world.clusters():
            # Without an endpoint nobody knows its control plane, if it ever had one.
            if "endpoint" in cluster.document:
                await self._backend.resume(cluster.ref)
        await self._runner.setup()
        site = web.TCPSite(self._runner, LOOPBACK, port)
        await site.start()
        self._port = int(self._runner.addresses[0][1])
        self._loops = [
            asyncio.create_task(
                self.quiescence.again_and_again(name, look, every_s=every_s), name=name
            )
            for name, look, every_s in (
                ("autoscaler", self.autoscaler.look, self._autoscaler_interval_s),
                ("drivers", self.driver_installation.look, LOOK_EVERY_S),
            )
        ]
        logger.info("emulating Google's APIs at %s", self.base_url)

    def kept(self) -> Document:
        """Return all that it holds, as a JSON document. It must have come to rest."""
        return {
            "world": kept_world(self.world),
            "faults": self.faults.kept(),
            "restrictions": self.restrictions.current.model_dump(mode="json"),
            "operations": self._operations.kept(),
            "compute_operations": self._compute_operations.kept(),
        }

    def _take_up(self, kept: Document) -> None:
        self.faults.take_up(kept["faults"])
        self.restrictions.current = Restrictions.model_validate(kept["restrictions"])
        self._operations.take_up(kept["operations"])
        self._compute_operations.take_up(kept["compute_operations"])

    def _unfinished(self) -> Iterator[str]:
        yield from self._operations.unfinished()
        yield from self._compute_operations.unfinished()

    async def stop(self) -> None:
        """Stop serving, end all operations and stop every control plane."""
        await self._runner.cleanup()
        for loop in self._loops:
            loop.cancel()
        await asyncio.gather(*self._loops, return_exceptions=True)
        await self._operations.stop()
        await self._compute_operations.stop()
        await self._backend.stop()
