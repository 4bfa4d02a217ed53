"""The way to a team's scheduler: its address where cluster DNS answers, else a port-forward."""

import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

import kr8s.asyncio

from daskfleet.access.forward import forwarding
from daskfleet.access.pod_port import open_pod_port
from daskfleet.contract.dask import DASHBOARD_PORT
from daskfleet.contract.declared import DeclaredTeam

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, kw_only=True)
class Way:
    """Where scheduler and dashboard answer."""

    address: str
    http: str
    """Base of the scheduler's HTTP server, without a final slash."""


def in_cluster(team: DeclaredTeam) -> Way:
    """Return the team's own address, for those who are inside of the cluster."""
    return at_address(team.address)


def at_address(address: str) -> Way:
    """Return the way by an address that somebody knows to lead there."""
    return Way(address=address, http=f"http://{urlsplit(address).hostname}:{DASHBOARD_PORT}")


@asynccontextmanager
async def forwarded(
    api: kr8s.asyncio.Api, team: DeclaredTeam, *, scheduler: str
) -> AsyncIterator[Way]:
    """Forward two ports of this machine's loopback to a scheduler's pod."""
    async with AsyncExitStack() as stack:
        comm, dashboard = [
            await stack.enter_async_context(
                _forwarded(api, namespace=team.namespace, pod=scheduler, port=port)
            )
            for port in (team.scheduler_port, team.dashboard_port)
        ]
        yield Way(address=team.address_at(comm), http=f"http://{LOOPBACK}:{dashboard}")


@asynccontextmanager
async def _forwarded(
    api: kr8s.asyncio.Api, *, namespace: str, pod: str, port: int
) -> AsyncIterator[int]:
    with socket.create_server((LOOPBACK, 0)) as listener:
        async with forwarding(
            listener,
            _OnePod(pod),
            lambda name: open_pod_port(api, namespace=namespace, pod=name, port=port),
        ):
            yield listener.getsockname()[1]


class _OnePod:
    """The way to the pod that is looked at, and to no other."""

    def __init__(self, name: str) -> None:
        self._name = name

    async def pod(self) -> str:
        return self._name

    async def mark_unanswered(self, pod: str) -> bool:  # noqa: ARG002
        return False
