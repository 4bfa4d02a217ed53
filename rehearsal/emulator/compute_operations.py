"""Long-running operations of the compute API."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rehearsal.emulator.network_spec import not_found
from rehearsal.emulator.operations import OperationFailedError
from rehearsal.emulator.request_log import now

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rehearsal.emulator.calls import Call, Handlers
    from rehearsal.emulator.document import Document
    from rehearsal.emulator.latency import Latency
    from rehearsal.emulator.world import World

_WAIT_S = 120.0
"""Google's ``wait`` answers after two minutes at the latest."""


@dataclass(frozen=True, kw_only=True)
class _Operation:
    document: Document
    ending: asyncio.Task[None] | None = None
    """None: it had ended when the emulator was started."""


class ComputeOperations:
    """Operations on networks and what is in them.

    A change takes effect when it is accepted; its operation ends after the latency.
    """

    def __init__(self, *, world: World, latency: Latency) -> None:
        self._world = world
        self._latency = latency
        self._operations: dict[str, _Operation] = {}

    def handlers(self) -> Handlers:
        """Return the handlers by Google's method ids."""
        return {
            f"compute.{scope}Operations.{verb}": handler
            for scope in ("global", "region", "zone")
            for verb, handler in (("get", self.get), ("wait", self.wait))
        }

    async def run(self, kind: str, call: Call, path: str, effect: Callable[[], None]) -> Document:
        """Apply ``effect`` to the resource at ``path`` as an operation; answer the operation."""
        operation_id = self._world.new_id()
        name = f"operation-{operation_id}"
        scope = "global" if path.startswith("global/") else "/".join(path.split("/")[:2])
        parent = f"{call.service_url}/projects/{call['project']}"
        document: Document = {
            "kind": "compute#operation",
            "id": operation_id,
            "name": name,
            "operationType": kind,
            "status": "RUNNING",
            "progress": 0,
            "insertTime": now(),
            "startTime": now(),
            "targetLink": f"{parent}/{path}",
            "targetId": self._world.new_id(),
            "selfLink": f"{parent}/{scope}/operations/{name}",
            "user": "rehearsal@example.com",
        }
        if scope != "global":
            document[scope.split("/")[0].removesuffix("s")] = f"{parent}/{scope}"
        try:
            call.strike()
            effect()
        except OperationFailedError as failure:
            document["error"] = {"errors": [{"code": "INTERNAL_ERROR", "message": str(failure)}]}
            document["httpErrorStatusCode"] = 500
            document["httpErrorMessage"] = "INTERNAL SERVER ERROR"
        ending = asyncio.create_task(self._end(document), name=name)
        path_of_operation = f"{scope}/operations/{name}"
        self._operations[path_of_operation] = _Operation(document=document, ending=ending)
        await _at_most(self._latency.hold_answer_s, ending)
        return document

    async def _end(self, document: Document) -> None:
        await asyncio.sleep(self._latency.compute_s)
        document.update(status="DONE", progress=100, endTime=now())

    def _find(self, call: Call) -> _Operation:
        if "region" in call.variables:
            scope = f"regions/{call['region']}"
        else:
            scope = f"zones/{call['zone']}" if "zone" in call.variables else "global"
        path = f"{scope}/operations/{call['operation']}"
        if path not in self._operations:
            raise not_found(call["project"], path)
        return self._operations[path]

    async def get(self, call: Call) -> Document:
        """Return an operation as it stands."""
        return self._find(call).document

    async def wait(self, call: Call) -> Document:
        """Return an operation when it is done, or as it stands after two minutes."""
        operation = self._find(call)
        if operation.ending is not None:
            await _at_most(_WAIT_S, operation.ending)
        return operation.document

    def unfinished(self) -> Iterator[str]:
        """Return the paths of those that are not done."""
        for path, operation in self._operations.items():
            if operation.document["status"] != "DONE":
                yield path

    def kept(self) -> dict[str, Document]:
        """Return the operations, all of them done, by path."""
        return {path: operation.document for path, operation in self._operations.items()}

    def take_up(self, kept: dict[str, Document]) -> None:
        """Take operations as ``kept`` returned them."""
        self._operations |= {path: _Operation(document=each) for path, each in kept.items()}

    async def stop(self) -> None:
        """End all operations now."""
        endings = [o.ending for o in self._operations.values() if o.ending is not None]
        for ending in endings:
            ending.cancel()
        await asyncio.gather(*endings, return_exceptions=True)


async def _at_most(seconds: float, task: asyncio.Task[None]) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(asyncio.shield(task), seconds)
