"""What may stand between a laptop and the fleet: a relay that can fall silent, and a proxy."""

import asyncio
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

PIECE = 65536


class Relay:
    """Carries connections to a port of this machine, and can lose them without a word."""

    def __init__(self, leads_to: int, *, tls: ssl.SSLContext | None = None) -> None:
        self.port = 0
        self.refusal = ""
        """Status line with which a proxy refuses."""
        self.connects: list[str] = []
        """What a proxy was asked to connect to."""
        self._leads_to = leads_to
        self._tls = tls
        self._lost: list[asyncio.Event] = []
        self._loop = asyncio.new_event_loop()

    def lose_all(self) -> None:
        """Carry nothing more on the connections of now; neither side is told."""
        for lost in self._lost:
            self._loop.call_soon_threadsafe(lost.set)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        lost = asyncio.Event()
        self._lost.append(lost)
        with suppress(OSError, asyncio.IncompleteReadError):
            there = await self._connected(reader, writer)
            if there is None:
                return
            up = asyncio.create_task(_carry(reader, there[1], lost))
            down = asyncio.create_task(_carry(there[0], writer, lost))
            await asyncio.wait({up, down}, return_when=asyncio.FIRST_COMPLETED)
            there[1].close()
        writer.close()

    async def _connected(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        del reader, writer
        return await asyncio.open_connection("127.0.0.1", self._leads_to)

    async def _serve(self, ready: threading.Event) -> None:
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0, ssl=self._tls)
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        await asyncio.Event().wait()

    @contextmanager
    def running(self) -> Iterator["Relay"]:
        """Relay from a thread of its own."""
        ready = threading.Event()
        serving = self._loop.create_task(self._serve(ready))

        def run() -> None:
            with suppress(asyncio.CancelledError):
                self._loop.run_until_complete(serving)
            self._loop.run_until_complete(_others_ended())
            self._loop.close()

        thread = threading.Thread(target=run, name="relay")
        thread.start()
        try:
            assert ready.wait(30)
            yield self
        finally:
            self._loop.call_soon_threadsafe(serving.cancel)
            thread.join()


class ConnectProxy(Relay):
    """An HTTP proxy that knows CONNECT, as those of companies do for HTTPS."""

    async def _connected(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        self.connects.append(head.partition("\r\n")[0])
        if self.refusal:
            writer.write(f"HTTP/1.1 {self.refusal}\r\nContent-Length: 0\r\n\r\n".encode())
            await writer.drain()
            writer.close()
            return None
        there = await super()._connected(reader, writer)
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        return there


async def _others_ended() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


async def _carry(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, lost: asyncio.Event
) -> None:
    while data := await reader.read(PIECE):
        if lost.is_set():
            await asyncio.Event().wait()
        writer.write(data)
        await writer.drain()
    if lost.is_set():
        await asyncio.Event().wait()
