"""``daskfleet.connect``: a client of a team's cluster."""

import asyncio
import warnings
from collections.abc import Coroutine, Generator
from contextlib import AbstractAsyncContextManager
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, overload

from daskfleet.client.held_tunnel import HeldTunnel, Opened
from daskfleet.client.way import require_distributed, way_to
from daskfleet.errors import AsleepWarning, SchedulerAwayError
from daskfleet.versions import Packages, told_packages

if TYPE_CHECKING:
    from daskfleet.client.team_client import TeamClient

TIMEOUT_S = 300.0
"""A scheduler whose node is there is back in seconds, one with a new node in many minutes."""

CALLER = 3
"""Frames from a warning to whoever has called ``connect``."""


@overload
def connect(
    team: str | None = None,
    *,
    asynchronous: Literal[False] = False,
    timeout_s: float = TIMEOUT_S,
    check_versions: bool = True,
) -> "TeamClient": ...
@overload
def connect(
    team: str | None = None,
    *,
    asynchronous: Literal[True],
    timeout_s: float = TIMEOUT_S,
    check_versions: bool = True,
) -> "Connecting": ...
def connect(
    team: str | None = None,
    *,
    asynchronous: bool = False,
    timeout_s: float = TIMEOUT_S,
    check_versions: bool = True,
) -> "TeamClient | Connecting":
    """Return a client of a team's Dask cluster, which closes its tunnel with itself.

    On a laptop it takes the current context of your kubeconfig and a tunnel through the API server,
    which follows the scheduler to another pod. In a pod of the team's namespace it takes neither.

    Args:
        team: the team's name; may be left out in the team's own namespace.
        asynchronous: whether to return what ``await`` or ``async with`` makes a client, for
            programs with an event loop. A notebook needs none of it.
        timeout_s: seconds to wait for a scheduler, now and each time when it goes away.
        check_versions: whether to refuse a Python whose task graphs the scheduler cannot unpack.

    Raises:
        daskfleet.errors.AccessError: there is no way to the cluster; its subclasses say which
            kind of reason, and the message the next step.
        daskfleet.errors.VersionsDifferError: the scheduler has other packages.

    """
    if asynchronous:
        return Connecting(_connected_soon(team, timeout_s=timeout_s, check_versions=check_versions))
    way = way_to(team, timeout_s=timeout_s)
    try:
        opened = way.opened.result() if isinstance(way, HeldTunnel) else None
        client = _client(way, opened, timeout_s=timeout_s, asynchronous=False)
    except BaseException as error:
        if isinstance(way, HeldTunnel):
            way.close()
        if isinstance(error, OSError):
            raise _silent(error, team, is_inside=isinstance(way, str)) from error
        raise
    if check_versions:
        try:
            _check(client.sync(packages_of, client), client, team)
        except BaseException:
            client.close()
            raise
    return client


class Connecting(AbstractAsyncContextManager["TeamClient"]):
    """A client to come: ``await`` it, or enter it with ``async with``, which closes it."""

    def __init__(self, connected: Coroutine[Any, Any, "TeamClient"]) -> None:
        self._connected = connected
        self._client: TeamClient | None = None

    def __await__(self) -> Generator[Any, None, "TeamClient"]:
        return self._connected.__await__()

    async def __aenter__(self) -> "TeamClient":
        self._client = await self
        return self._client

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._client is not None:
            await self._client.close()


async def _connected_soon(
    team: str | None, *, timeout_s: float, check_versions: bool
) -> "TeamClient":
    way = way_to(team, timeout_s=timeout_s)
    try:
        opened = await _opened(way)
        client: TeamClient = await _client(way, opened, timeout_s=timeout_s, asynchronous=True)
    except BaseException as error:
        if isinstance(way, HeldTunnel):
            await way.aclose()
        if isinstance(error, OSError):
            raise _silent(error, team, is_inside=isinstance(way, str)) from error
        raise
    if check_versions:
        try:
            _check(await packages_of(client), client, team)
        except BaseException:
            await client.close()
            raise
    return client


def _client(
    way: str | HeldTunnel, opened: Opened | None, *, timeout_s: float, asynchronous: bool
) -> "TeamClient":
    if opened is not None:
        require_distributed(opened.team)
    # A second of imports, and no part of what members' commands need.
    from daskfleet.client.team_client import new_client  # noqa: PLC0415

    if opened is not None and opened.asleep:
        name = opened.team.namespace
        warnings.warn(
            f"The workers of {name} are {opened.asleep}. If nodes have to start first, that "
            f"takes minutes. To start now: `daskfleet wake {name}`.",
            AsleepWarning,
            stacklevel=CALLER,
        )
    return new_client(way, opened, timeout_s=timeout_s, asynchronous=asynchronous)


async def _opened(way: str | HeldTunnel) -> Opened | None:
    if isinstance(way, str):
        return None
    opened: Opened = await asyncio.wrap_future(way.opened)
    return opened


async def packages_of(client: "TeamClient") -> Packages:
    """Ask the scheduler for its packages."""
    scheduler: Any = client.scheduler  # not None once it is connected
    return told_packages(await scheduler.versions())


def _check(scheduler: Packages, client: "TeamClient", team: str | None) -> None:
    from daskfleet.client.fitting import check_fit  # noqa: PLC0415 - it needs Dask

    check_fit(
        scheduler,
        team=team,
        told=client.team,
        stacklevel=CALLER,
        otherwise="connect(..., check_versions=False) connects anyway.",
    )


def _silent(error: OSError, team: str | None, *, is_inside: bool) -> SchedulerAwayError:
    """Put the client's own words for a scheduler that does not answer into a sentence."""
    whose = f"of team {team}" if team else "of the team"
    pods = f"`kubectl get pods --namespace {team or 'TEAM'}`"
    policy = " Only pods of the team's own namespace may reach it." if is_inside else ""
    return SchedulerAwayError(
        f"The scheduler {whose} does not answer: {error}. Look at its pods: {pods}.{policy}"
    )
