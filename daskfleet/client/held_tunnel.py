"""A tunnel that a thread of its own holds, so that it goes on whatever the program does."""

import asyncio
import contextlib
import logging
import socket
import threading
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import TypeVar

import kr8s
import kr8s.asyncio

from daskfleet.access.client_certificate import read_certificate
from daskfleet.access.declared_fleet import team_in
from daskfleet.access.errors import AccessError
from daskfleet.access.fleet import REQUEST_TIMEOUT_S
from daskfleet.access.kubernetes_api import connected
from daskfleet.access.notice import read_notice
from daskfleet.access.own_kubeconfig import own_kubeconfig
from daskfleet.access.route import Route
from daskfleet.access.sleep import sleep_note
from daskfleet.access.tunnel import tunnel
from daskfleet.contract.declared import DeclaredTeam
from daskfleet.errors import SchedulerAwayError
from daskfleet.visible import visible

LOOPBACK = "127.0.0.1"
END_TIMEOUT_S = 5
"""For connections that are told that they end."""

LOG = logging.getLogger("daskfleet")


T = TypeVar("T")

Lent = Callable[[kr8s.asyncio.Api, DeclaredTeam], AbstractAsyncContextManager[DeclaredTeam]]
"""Gives the cluster to which a tunnel leads, for as long as it does."""


def fixed_cluster(
    _: kr8s.asyncio.Api, team: DeclaredTeam
) -> AbstractAsyncContextManager[DeclaredTeam]:
    """Give the team's fixed cluster, which stays."""
    return contextlib.nullcontext(team)


@dataclass(frozen=True, kw_only=True)
class Opened:
    """What leads to the scheduler now."""

    team: DeclaredTeam
    address: str
    dashboard: str
    certificate: Mapping[str, bytes] | None
    """Parts as the Secret names them; None: the team has no TLS."""
    asleep: str
    """Since when its workers sleep; empty: they do not, or nobody tells."""


class HeldTunnel:
    """The way to a team's scheduler by two ports of this machine, until ``close``."""

    def __init__(self, team: str, *, timeout_s: float, lent: Lent = fixed_cluster) -> None:
        """Begin with it; ``lent`` says to which of the team's clusters it leads."""
        self.opened: Future[Opened] = Future()
        """Done once there is a scheduler; raises ``AccessError``."""
        self.opened.set_running_or_notify_cancel()  # who waits no longer calls ``close``
        self._ended: Future[None] = Future()
        self._team = team
        self._timeout_s = timeout_s
        self._lent = lent
        self._api: kr8s.asyncio.Api | None = None
        self._route: Route | None = None
        self._news = ""
        self._has_waited = False
        self._loop = asyncio.new_event_loop()
        self._holding = self._loop.create_task(self._hold())
        # A daemon: Python joins other threads before it calls what was registered for its end.
        self._thread = threading.Thread(target=self._run, name=f"daskfleet-{team}", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End it, and wait until no thread, connection or file is left."""
        self._cancel()
        self._thread.join(END_TIMEOUT_S)

    async def aclose(self) -> None:
        """Do the same without holding up the event loop."""
        self._cancel()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.wrap_future(self._ended), END_TIMEOUT_S)
            self._thread.join(END_TIMEOUT_S)  # that was the last but its own end

    def ask(self, request: Callable[[kr8s.asyncio.Api], Coroutine[None, None, T]]) -> T:
        """Ask the API server something from another thread, by the tunnel's login."""
        assert self._api is not None  # noqa: S101 - whoever asks has waited for ``opened``
        return asyncio.run_coroutine_threadsafe(request(self._api), self._loop).result()

    def _cancel(self) -> None:
        with contextlib.suppress(RuntimeError):  # it has ended by itself, or before
            self._loop.call_soon_threadsafe(self._holding.cancel)

    def _run(self) -> None:
        # Ended here: asyncio would start a thread for that, which an ending Python refuses.
        with ThreadPoolExecutor(thread_name_prefix=self._thread.name) as names_looked_up:
            self._loop.set_default_executor(names_looked_up)
            try:
                self._loop.run_until_complete(self._holding)
            except asyncio.CancelledError:
                pass
            except Exception as error:  # noqa: BLE001 - it is told where it is waited for
                self._fail(error)
        self._loop.close()
        self._ended.set_result(None)

    def _fail(self, error: Exception) -> None:
        if self.opened.done():
            LOG.error("The tunnel to team %s has ended: %s", self._team, visible(str(error)))
        else:
            self.opened.set_exception(error)

    async def _hold(self) -> None:
        kubeconfig = own_kubeconfig()
        with _listening() as comm, _listening() as dashboard:
            async with connected(kubeconfig, request_timeout_s=REQUEST_TIMEOUT_S) as api:
                context = kubeconfig["current-context"]
                notice = await read_notice(api, team=self._team, context=context)
                self._api = api
                async with self._lent(api, team_in(notice, self._team)) as team:
                    await self._lead(api, team, comm=comm, dashboard=dashboard)

    async def _lead(
        self,
        api: kr8s.asyncio.Api,
        team: DeclaredTeam,
        *,
        comm: socket.socket,
        dashboard: socket.socket,
    ) -> None:
        """Lead to a cluster for as long as it is wanted."""
        certificate = await read_certificate(api, team)
        asleep = await _asleep(api, team)
        async with tunnel(api, team, comm=comm, dashboard=dashboard, say=self._hear) as self._route:
            keeping = asyncio.create_task(self._route.keep())
            try:
                await self._until_there(self._route)
                opened = Opened(
                    team=team,
                    address=team.address_at(comm.getsockname()[1]),
                    dashboard=team.dashboard_at(dashboard.getsockname()[1]),
                    certificate=certificate,
                    asleep=asleep,
                )
                self.opened.set_result(opened)
                await keeping
            finally:
                keeping.cancel()
                await asyncio.gather(keeping, return_exceptions=True)

    async def _until_there(self, route: Route) -> None:
        try:
            async with asyncio.timeout(self._timeout_s):
                await route.pod()
        except TimeoutError:
            raise SchedulerAwayError(
                f"Team {self._team} had no scheduler within {self._timeout_s:g} s: "
                f"{self._news or 'no word of it'}. Look at `kubectl get pods --namespace "
                f"{self._team}`; a node with its image takes up to 20 minutes, for which "
                "`timeout_s` can be raised."
            ) from None

    def _hear(self, news: str) -> None:
        """Tell what is waited for, and its end; that all is well from the beginning is no news."""
        waits = self._route is not None and self._route.waits
        self._news = visible(news)
        level = logging.WARNING if waits or self._has_waited else logging.INFO
        LOG.log(level, "team %s: %s", self._team, self._news)
        self._has_waited = waits


def _listening() -> socket.socket:
    try:
        return socket.create_server((LOOPBACK, 0))
    except OSError as error:
        raise AccessError(
            f"This machine has no free port at {LOOPBACK} ({error.strerror}), which the tunnel "
            f"needs. "
            "Check that its loopback interface has IPv4."
        ) from error


async def _asleep(api: kr8s.asyncio.Api, team: DeclaredTeam) -> str:
    try:
        note = await sleep_note(api, team)
    except kr8s.ServerError:
        return ""  # a roll that is under way, or a fleet of an older release: no reason to stop
    return note.text if note else ""
