"""A team's scheduler and its dashboard at two ports of this machine, wherever their pod is."""

import asyncio
import functools
import socket
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import kr8s.asyncio

from daskfleet.access.forward import forwarding
from daskfleet.access.pod_port import PodPort, open_pod_port
from daskfleet.access.route import Route, Say, look_up
from daskfleet.contract.declared import DeclaredTeam

LEFT_FOR_S = 10.0
"""How long a connection may still be to a pod after new ones go to another. A scheduler that ends
closes its own before. Of one that is lost perhaps nobody tells: a Dask client that connects again
waits for a word on it with all the time that it has (distributed 2026.8.0, ``_reconnect``)."""


@asynccontextmanager
async def tunnel(
    api: kr8s.asyncio.Api,
    team: DeclaredTeam,
    *,
    comm: socket.socket,
    dashboard: socket.socket,
    say: Say,
) -> AsyncIterator[Route]:
    """Carry what the two sockets accept; ``keep`` of the route has to run meanwhile."""
    look = functools.partial(look_up, api, namespace=team.namespace, service=team.service)
    route = Route(look, say=say)

    def at(port: int, pod: str) -> AbstractAsyncContextManager[PodPort]:
        return _until_left(api, route, namespace=team.namespace, pod=pod, port=port)

    async with (
        forwarding(comm, route, functools.partial(at, team.scheduler_port)),
        forwarding(dashboard, route, functools.partial(at, team.dashboard_port)),
    ):
        yield route


@asynccontextmanager
async def _until_left(
    api: kr8s.asyncio.Api, route: Route, *, namespace: str, pod: str, port: int
) -> AsyncIterator[PodPort]:
    """Connect to a port of a pod; raises TimeoutError in the body once that was left."""

    async def watch() -> None:
        await route.until_left(pod)
        limit.reschedule(asyncio.get_running_loop().time() + LEFT_FOR_S)

    async with (
        open_pod_port(api, namespace=namespace, pod=pod, port=port) as opened,
        asyncio.timeout(None) as limit,
    ):
        watching = asyncio.create_task(watch())
        try:
            yield opened
        finally:
            watching.cancel()
