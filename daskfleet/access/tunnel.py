"""A team's scheduler and its dashboard at two ports of this machine, wherever their pod is."""

import functools
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import kr8s.asyncio

from daskfleet.access.forward import OpenPort, forwarding
from daskfleet.access.pod_port import open_pod_port
from daskfleet.access.route import Route, Say, look_up
from daskfleet.contract.declared import DeclaredTeam


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
    async with (
        forwarding(comm, route, _opener(api, team, team.scheduler_port)),
        forwarding(dashboard, route, _opener(api, team, team.dashboard_port)),
    ):
        yield route


def _opener(api: kr8s.asyncio.Api, team: DeclaredTeam, port: int) -> OpenPort:
    return lambda pod: open_pod_port(api, namespace=team.namespace, pod=pod, port=port)
