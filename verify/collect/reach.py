"""The way to a team's scheduler: its address where cluster DNS answers, else a port-forward."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import kr8s.asyncio
from kr8s.asyncio.objects import Pod

from verify.declared import DeclaredTeam

COMM_PORT = 8786
DASHBOARD_PORT = 8787
CLOSE_TIMEOUT_S = 5


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
async def forwarded(api: kr8s.asyncio.Api, scheduler: Mapping[str, Any]) -> AsyncIterator[Way]:
    """Forward two ports of this machine's loopback to a scheduler's pod."""
    pod = await Pod(dict(scheduler), api=api)
    async with _closing(pod, COMM_PORT) as comm, _closing(pod, DASHBOARD_PORT) as dashboard:
        yield Way(address=f"tcp://127.0.0.1:{comm}", http=f"http://127.0.0.1:{dashboard}")


@asynccontextmanager
async def _closing(pod: Pod, port: int) -> AsyncIterator[int]:
    forward: Any = pod.portforward(port, local_port="auto")
    local: int = await forward.__aenter__()
    try:
        yield local
    finally:
        # It waits for connections to end, which a peer that is gone never does.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_TIMEOUT_S):
                await forward.__aexit__(None, None, None)
