"""Long-running operations of the container API: PENDING, RUNNING, DONE.

Which may run together (cluster-wide ones alone, at most one per pool, at most five in all) and
what the refusals say follows error texts quoted in terraform-provider-google issues 3650, 10366,
15205 and cluster-api-provider-gcp issue 1363.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING

from rehearsal.emulator.backend import ClusterRef
from rehearsal.emulator.errors import (
    FailedPreconditionError,
    NotFoundError,
    ResourceExhaustedError,
)
from rehearsal.emulator.request_log import now
from rehearsal.emulator.world import parent_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from rehearsal.emulator.document import Document

logger = logging.getLogger(__name__)

CONCURRENT_POOL_OPERATIONS = 5
_DOING = {
    "CREATE_NODE_POOL": "creating",
    "DELETE_NODE_POOL": "deleting",
    "SET_NODE_POOL_SIZE": "resizing",
}


class OperationFailedError(Exception):
    """The work of an operation failed; the text becomes its ``statusMessage``."""


@dataclass(kw_only=True)
class Operation:
    """One operation and the cluster, and pool, that it is about."""

    name: str
    kind: str
    cluster: ClusterRef
    pool: str | None
    service_url: str
    status: str = "PENDING"
    status_message: str = ""
    start_time: str = field(default_factory=now)
    end_time: str = ""
    task: asyncio.Task[None] | None = None

    def answer(self) -> Document:
        """Return the Operation as the API shows it; failures are in ``statusMessage``."""
        parent = parent_of(self.cluster.project, self.cluster.location)
        target = f"{parent}/clusters/{self.cluster.name}"
        if self.pool is not None:
            target += f"/nodePools/{self.pool}"
        document: Document = {
            "name": self.name,
            "operationType": self.kind,
            "status": self.status,
            "startTime": self.start_time,
            "selfLink": f"{self.service_url}/{parent}/operations/{self.name}",
            "targetLink": f"{self.service_url}/{target}",
            # A region, too: so are both operations of a regional cluster that Google recorded.
            "zone": self.cluster.location,
            "progress": {"name": self.kind, "status": self.status},
        }
        if self.end_time:
            document["endTime"] = self.end_time
        if self.status_message:
            document["statusMessage"] = self.status_message
            document["error"] = {"code": 13, "message": self.status_message}
        return document


class OperationBook:
    """All container operations of the emulator."""

    def __init__(self, *, hold_answer_s: float) -> None:
        self._hold_answer_s = hold_answer_s
        self._operations: dict[str, Operation] = {}

    def running(self, cluster: ClusterRef) -> Iterator[Operation]:
        """Return the operations of a cluster that are not done."""
        for operation in self._operations.values():
            if operation.cluster == cluster and operation.status != "DONE":
                yield operation

    def all_in(self, *, project: str, location: str) -> Iterator[Operation]:
        """Return a location's operations (``-``: every location), oldest first."""
        for operation in self._operations.values():
            if operation.cluster.project == project and location in (
                "-",
                operation.cluster.location,
            ):
                yield operation

    def get(self, *, project: str, location: str, name: str) -> Operation:
        """Return one operation. Raises NotFoundError."""
        for operation in self.all_in(project=project, location=location):
            if operation.name == name:
                return operation
        raise NotFoundError(f"Not found: {parent_of(project, location)}/operations/{name}.")

    def check_compatible(self, cluster: ClusterRef, *, pool: str | None) -> None:
        """Raise as GKE does when an operation may not start beside those that run."""
        running = list(self.running(cluster))
        for operation in running:
            if pool is None or operation.pool is None:
                raise FailedPreconditionError(
                    f"Cluster is running incompatible operation {operation.name}."
                )
            if operation.pool == pool:
                doing = _DOING.get(operation.kind, "updating")
                raise FailedPreconditionError(
                    f"Operation {operation.name} is currently {doing} a node pool for cluster "
                    f"{cluster.name}. Please wait and try again once it is done."
                )
        if len(running) >= CONCURRENT_POOL_OPERATIONS:
            raise ResourceExhaustedError(
                f'Too many operations: cluster "{cluster.name}" hits the concurrent operations '
                f"quota {CONCURRENT_POOL_OPERATIONS}"
            )

    async def run(
        self,
        kind: str,
        *,
        cluster: ClusterRef,
        service_url: str,
        work: Callable[[], Awaitable[None]],
        pool: str | None = None,
    ) -> Document:
        """Start ``work`` as an operation; answer when it is done or the hold time is over.

        The caller has asked ``check_compatible`` in the same event loop step.
        """
        name = f"operation-{int(time.time() * 1000)}-{secrets.token_hex(16)}"
        operation = Operation(
            name=name, kind=kind, cluster=cluster, pool=pool, service_url=service_url
        )
        self._operations[name] = operation
        operation.task = asyncio.create_task(self._drive(operation, work), name=name)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(operation.task), self._hold_answer_s)
        return operation.answer()

    async def _drive(self, operation: Operation, work: Callable[[], Awaitable[None]]) -> None:
        operation.status = "RUNNING"
        try:
            await work()
        except OperationFailedError as failure:
            operation.status_message = str(failure)
        except Exception as error:
            logger.exception("operation %s (%s) broke", operation.name, operation.kind)
            operation.status_message = f"The emulator failed: {type(error).__name__}: {error}"
        operation.end_time = now()
        operation.status = "DONE"

    def unfinished(self) -> Iterator[str]:
        """Return the kinds and names of those that are not done."""
        for operation in self._operations.values():
            if operation.status != "DONE":
                yield f"{operation.kind} {operation.name}"

    def kept(self) -> list[Document]:
        """Return the operations, all of them done, as JSON documents."""
        names = [f.name for f in fields(Operation) if f.name not in {"cluster", "task"}]
        return [
            {**{name: getattr(each, name) for name in names}, "cluster": asdict(each.cluster)}
            for each in self._operations.values()
        ]

    def take_up(self, kept: list[Document]) -> None:
        """Take operations as ``kept`` returned them."""
        for each in kept:
            operation = Operation(**each | {"cluster": ClusterRef(**each["cluster"])})
            self._operations[operation.name] = operation

    async def stop(self) -> None:
        """Cancel what still runs and wait for it."""
        tasks = [op.task for op in self._operations.values() if op.task and not op.task.done()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
