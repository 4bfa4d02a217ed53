"""Connections of this machine, carried to a port of the pod that the route leads to."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager

from connect.route import Route
from fleet_access.pod_port import ERRORS, PodPort, first_of

HOLD_S = 25.0
"""How long a connection is held while there is no pod: somewhat less than the 30 s in which a Dask
client expects the scheduler's first word, so that it is told and tries again."""

PIECE = 64 * 1024
"""Bytes."""

OpenPort = Callable[[str], AbstractAsyncContextManager[PodPort]]
"""Connects to the port of a pod by the pod's name."""


@asynccontextmanager
async def forwarding(
    listener: socket.socket, route: Route, open_port: OpenPort
) -> AsyncIterator[None]:
    """Carry every connection that the listener accepts; end them all with the body."""
    tasks: set[asyncio.Task[None]] = set()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(_carry(reader, writer, route, open_port))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    server = await asyncio.start_server(accept, sock=listener)
    try:
        yield
    finally:
        server.close()
        ending = tuple(tasks)
        for task in ending:
            task.cancel()
        await asyncio.gather(*ending, return_exceptions=True)


async def _carry(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    route: Route,
    open_port: OpenPort,
) -> None:
    """Carry one connection; when either side ends, so does the other."""
    pod = ""
    try:
        async with asyncio.timeout(HOLD_S) as patience, AsyncExitStack() as stack:
            pod = await route.pod()
            remote = await stack.enter_async_context(open_port(pod))
            patience.reschedule(None)
            await _pump(reader, writer, remote)
    except* ERRORS as group:
        # The client's own end is no fault of the pod.
        if pod and not isinstance(first_of(group), ConnectionError):
            await route.doubt(pod)
    finally:
        writer.close()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, pod: PodPort) -> None:
    async def up() -> None:
        while data := await reader.read(PIECE):
            await pod.write(data)

    async def down() -> None:
        while data := await pod.read():
            writer.write(data)
            await writer.drain()

    both = {asyncio.create_task(up()), asyncio.create_task(down())}
    try:
        done, _ = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in both:
            task.cancel()
        await asyncio.gather(*both, return_exceptions=True)
    for task in done:
        task.result()
