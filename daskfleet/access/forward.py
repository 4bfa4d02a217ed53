"""Connections of this machine, carried to a port of a pod."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Protocol

from daskfleet.access.pod_port import ERRORS, PodPort, first_of

HOLD_S = 25.0
"""How long a connection is held while there is no pod: somewhat less than the 30 s in which a Dask
client expects the scheduler's first word, so that it is told and tries again."""

PIECE = 64 * 1024
"""Bytes."""


class Route(Protocol):
    """Which pod a connection goes to."""

    async def pod(self) -> str:
        """Return the pod, once there is one."""

    async def mark_unanswered(self, pod: str) -> bool:
        """Hear that a pod did not answer, and say whether to try again."""


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
    """Carry one connection, to as many pods one after the other as it takes until one answers."""
    try:
        async with asyncio.timeout(HOLD_S) as patience:
            carried = _Carried(reader, writer, on_answer=lambda: patience.reschedule(None))
            while not carried.is_over:
                pod = await route.pod()
                if not (
                    await _is_answered(carried, pod, open_port) or await route.mark_unanswered(pod)
                ):
                    break
    except TimeoutError:
        pass  # the client is told by the end of its connection
    finally:
        writer.close()


async def _is_answered(carried: "_Carried", pod: str, open_port: OpenPort) -> bool:
    """Carry to this pod, until either side ends; False when that was the pod's fault."""
    is_well = True
    try:
        async with open_port(pod) as port:
            await carried.pump(port)
    except* ERRORS as group:
        # Broken by the client is no fault of the pod.
        is_well = isinstance(first_of(group), ConnectionResetError | BrokenPipeError)
        carried.is_over |= is_well
    return is_well and carried.is_over


class _Carried:
    """A connection of this machine.

    Until the pod has said a word, nothing is lost by asking another one: a Dask client is told by
    a closed connection that there is no scheduler (distributed.comm.core.connect tries again to
    connect, but not to shake hands), and a process that starts again is there in a second.
    """

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        *,
        on_answer: Callable[[], None],
    ) -> None:
        self.is_over = False
        self._reader = reader
        self._writer = writer
        self._on_answer = on_answer
        self._unanswered: bytearray | None = bytearray()
        """What the client has said so far; None once the pod has answered."""

    async def pump(self, pod: PodPort) -> None:
        """Carry both ways until one side ends; raises ``ERRORS``."""
        if self._unanswered:
            await pod.write(bytes(self._unanswered))
        both = {asyncio.create_task(self._up(pod)), asyncio.create_task(self._down(pod))}
        try:
            done, _ = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in both:
                task.cancel()
            await asyncio.gather(*both, return_exceptions=True)
        for task in done:
            task.result()

    async def _up(self, pod: PodPort) -> None:
        while data := await self._reader.read(PIECE):
            if self._unanswered is not None:
                self._unanswered += data
                self.is_over = len(self._unanswered) > PIECE  # too much to say again
            await pod.write(data)
        self.is_over = True

    async def _down(self, pod: PodPort) -> None:
        while data := await pod.read():
            if self._unanswered is not None:
                self._unanswered = None
                self._on_answer()
                self.is_over = True
            self._writer.write(data)
            await self._writer.drain()
        self.is_over |= bool(self._unanswered)
