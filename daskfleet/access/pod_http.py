"""A page of an HTTP server in a pod, through the API server and no port of this machine.

Who runs the pod may answer anything: no redirect is followed, nothing is unpacked, and an answer
has an end.
"""

import asyncio
import ssl
from typing import Any

import httpcore
import kr8s.asyncio

from daskfleet.access.pod_port import ERRORS, PodPort, first_of, open_pod_port

OK = 200
TIMEOUT_S = 10.0
"""For all of an answer: one that comes a byte at a time never ends otherwise."""


class UnansweredError(Exception):
    """The pod gives no answer that can be used; the message says why."""


async def fetch(
    api: kr8s.asyncio.Api, *, namespace: str, pod: str, port: int, path: str, most_bytes: int
) -> bytes:
    """Return the body of a page.

    Raises:
        UnansweredError: there is none, it is longer than ``most_bytes``, or it never ends.

    """
    try:
        async with (
            asyncio.timeout(TIMEOUT_S),
            open_pod_port(api, namespace=namespace, pod=pod, port=port) as opened,
        ):
            return await _page(opened, port=port, path=path, most_bytes=most_bytes)
    except* (*ERRORS, UnansweredError) as group:
        why = _words(first_of(group))
    raise UnansweredError(f"port {port} of pod {pod}: {why}")


async def _page(opened: PodPort, *, port: int, path: str, most_bytes: int) -> bytes:
    server = httpcore.Origin(b"http", b"127.0.0.1", port)
    headers = (
        ("Host", f"127.0.0.1:{port}"),
        ("Accept-Encoding", "identity"),
        ("Connection", "close"),
    )
    async with (
        httpcore.AsyncHTTP11Connection(origin=server, stream=_Stream(opened)) as connection,
        connection.stream("GET", f"http://127.0.0.1:{port}{path}", headers=headers) as answer,
    ):
        if answer.status != OK:
            raise UnansweredError(f"{path} answers {answer.status}")
        body = bytearray()
        async for part in answer.aiter_stream():
            body += part
            if len(body) > most_bytes:
                raise UnansweredError(f"{path} is longer than {most_bytes:,} bytes")
        return bytes(body)


def _words(error: BaseException) -> str:
    if isinstance(error, TimeoutError):
        return f"no whole answer within {TIMEOUT_S:g} s"
    return str(error) or type(error).__name__


class _Stream(httpcore.AsyncNetworkStream):
    """A pod's port as httpcore reads and writes a connection."""

    def __init__(self, opened: PodPort) -> None:
        self._opened = opened
        self._unread = b""

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109 - its name there
        if not self._unread:
            self._unread = await self._opened.read(timeout)
        piece, self._unread = self._unread[:max_bytes], self._unread[max_bytes:]
        return piece

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002, ASYNC109
        await self._opened.write(buffer)

    async def aclose(self) -> None:
        """Leave it to who has opened the port."""

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109
    ) -> httpcore.AsyncNetworkStream:
        raise NotImplementedError

    def get_extra_info(self, info: str) -> Any:  # noqa: ARG002
        return None
