"""GKE's older ``projects/P/zones/Z`` paths, which its own links still use for zonal clusters."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rehearsal.emulator.calls import Call, Handler, Handlers
    from rehearsal.emulator.document import Document

_NEW_NAMES = {
    "projectId": "projectsId",
    "zone": "locationsId",
    "clusterId": "clustersId",
    "nodePoolId": "nodePoolsId",
    "operationId": "operationsId",
}
_LOCATIONS = "container.projects.locations."
_ZONES = "container.projects.zones."


def zone_handlers(handlers: Handlers) -> Handlers:
    """Return handlers for the zonal twins of the ``locations`` methods in ``handlers``."""
    return {
        name.replace(_LOCATIONS, _ZONES): _renaming(handler)
        for name, handler in handlers.items()
        if name.startswith(_LOCATIONS)
    }


def _renaming(handler: Handler) -> Handler:
    async def serve(call: Call) -> Document:
        variables = {_NEW_NAMES[name]: value for name, value in call.variables.items()}
        return await handler(replace(call, variables=variables))

    return serve
