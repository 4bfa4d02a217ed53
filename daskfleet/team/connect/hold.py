"""Holding a connection: from what is declared to two local ports, until interrupted."""

import asyncio
import contextlib
import signal
import socket
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import kr8s.asyncio

from daskfleet.access.client_certificate import (
    CertificateFiles,
    certificate_files,
    read_certificate,
)
from daskfleet.access.declared_fleet import team_in
from daskfleet.access.errors import AccessError
from daskfleet.access.fleet import REQUEST_TIMEOUT_S, Fleet, fleet_of, source
from daskfleet.access.kubernetes_api import connected
from daskfleet.access.tunnel import tunnel
from daskfleet.contract.declared import DeclaredTeam
from daskfleet.team.connect.connection_file import Connection, connection_to, text_of, written
from daskfleet.team.connect.errors import ConnectError
from daskfleet.team.connect.jupyter import Wanted, jupyter_held
from daskfleet.team.connect.local_port import listening, port_of


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What the user asks for. None: the command chooses."""

    team: str
    stack: str | None
    file: Path | None
    port: int | None
    dashboard_port: int | None
    lab: Wanted | None = None
    """The JupyterLab that is wanted, too; None: none is."""

    @property
    def chosen_file(self) -> Path:
        """Where the connection file goes."""
        return self.file or Path(f"{self.team}.connection.json")


@dataclass(frozen=True, kw_only=True)
class Reports:
    """Where news goes."""

    progress: Callable[[str], None]
    connected: Callable[[Connection, Path], None]


def hold(project_dir: Path, asked: Asked, reports: Reports) -> None:
    """Hold the connection until SIGINT or SIGTERM.

    Raises:
        ConnectError: it cannot be had. What fails later is waited for.
        KeyboardInterrupt: SIGINT, after everything is closed.

    """
    with ExitStack() as stack:
        # First what fails at once: reading the state takes seconds.
        comm = stack.enter_context(listening(asked.port, usual=8786, option="--port"))
        dashboard = stack.enter_context(
            listening(asked.dashboard_port, usual=8787, option="--dashboard-port")
        )
        reports.progress(source(asked.stack, asked.team))
        try:
            fleet = fleet_of(project_dir, stack=asked.stack, team=asked.team)
            asyncio.run(_hold(fleet, asked, reports, comm, dashboard))
        except AccessError as error:
            raise ConnectError(str(error)) from error


async def _hold(
    fleet: Fleet,
    asked: Asked,
    reports: Reports,
    comm: socket.socket,
    dashboard: socket.socket,
) -> None:
    team = team_in(fleet.declared, asked.team)
    async with (
        connected(fleet.kubeconfig, request_timeout_s=REQUEST_TIMEOUT_S) as api,
        _certificate(api, team, beside=asked.chosen_file, port=port_of(comm)) as certificate,
    ):
        connection = connection_to(
            team,
            name=asked.team,
            stack=fleet.stack,
            scheduler_port=port_of(comm),
            dashboard_port=port_of(dashboard),
            certificate=certificate,
        )
        async with (
            AsyncExitStack() as stack,
            tunnel(api, team, comm=comm, dashboard=dashboard, say=reports.progress) as route,
        ):
            if asked.lab is not None:
                token_file = asked.lab.token_file(asked.team, beside=asked.chosen_file)
                held = jupyter_held(
                    api, team, asked.lab, token_file=token_file, say=reports.progress
                )
                await stack.enter_async_context(held)
            with written(text_of(connection), asked.chosen_file):
                reports.connected(connection, asked.chosen_file)
                await _until_ended(route.keep())


@asynccontextmanager
async def _certificate(
    api: kr8s.asyncio.Api, team: DeclaredTeam, *, beside: Path, port: int
) -> AsyncIterator[CertificateFiles | None]:
    """Keep the client's certificate beside the connection file, where the team has TLS.

    The port is in the directory's name because it is this process' own while it runs.
    """
    certificate = await read_certificate(api, team)
    if certificate is None:
        yield None
        return
    directory = beside.with_name(f"{beside.stem}-{port}.tls")
    with certificate_files(certificate, directory) as files:
        yield files


async def _until_ended(keeping: Coroutine[None, None, None]) -> None:
    """Run until SIGTERM, which ends it as SIGINT does, but for the exception."""
    task = asyncio.create_task(keeping)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await task
