"""A session with the cluster of a fleet that is up."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import kr8s

from daskfleet.access.errors import AccessError
from daskfleet.access.fleet import REQUEST_TIMEOUT_S, fleet_of_stack
from daskfleet.access.kubernetes_api import connected
from daskfleet.platform.doctor.errors import NotLookedAtError


@asynccontextmanager
async def session(name: str, project_dir: Path) -> AsyncIterator[kr8s.asyncio.Api]:
    """Hold one with the cluster that a stack has made.

    Raises:
        NotLookedAtError: there is none, or it does not answer.

    """
    try:
        fleet = await asyncio.to_thread(fleet_of_stack, project_dir, name)
        async with connected(fleet.kubeconfig, request_timeout_s=REQUEST_TIMEOUT_S) as api:
            yield api
    except AccessError as error:
        raise NotLookedAtError(str(error)) from error
