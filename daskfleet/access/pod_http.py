"""A page of an HTTP server in a pod, through the API server and no port of this machine.

Through the kubelet, as ``kubectl port-forward``: a team's network policies keep out the API
server's own proxy and every pod of another namespace. Who runs the pod may answer anything: no
redirect is followed, nothing is unpacked, and an answer has an end.
"""

import asyncio
from urllib.parse import urlsplit

import httpcore
import kr8s.asyncio

from daskfleet.access.errors import words_of
from daskfleet.access.pod_port import ERRORS, PodPort, first_of, open_pod_port

OK = 200
TIMEOUT_S = 10.0
"""For all of an answer: one that comes a byte at a time never ends otherwise."""


class UnansweredError(Exception):
    """The pod gives no answer that can be used; the message says why."""


async def fetch(
    api: kr8s.asyncio.Api,
    *,
    namespace: str,
    pod: str,
    url: str,
    most_bytes: int,
    body: bytes | None = None,
    timeout_s: float = TIMEOUT_S,
) -> bytes:
    """Send GET to a pod, or POST with a body, and return the body of the answer.

    Args:
        api: the way in.
        namespace: the pod's.
        pod: its name.
        url: names the port, and the host that the server is told.
        most_bytes: how long an answer may be.
        body: what is posted.
        timeout_s: seconds for all of it.

    Raises:
        UnansweredError: there is none, it is longer than ``most_bytes``, or it never ends.

    """
    server = _server(url)
    try:
        async with (
            asyncio.timeout(timeout_s),
            open_pod_port(api, namespace=namespace, pod=pod, port=server.port) as opened,
        ):
            return await _answer(opened, server, url=url, body=body, most_bytes=most_bytes)
    except* (*ERRORS, UnansweredError) as group:
        error = first_of(group)
    if isinstance(error, TimeoutError):
        why = f"no whole answer within {timeout_s:g} s"
    else:
        why = words_of(error)
    raise UnansweredError(f"port {server.port} of pod {pod}: {why}")


def _server(url: str) -> httpcore.Origin:
    parts = urlsplit(url)
    return httpcore.Origin(b"http", str(parts.hostname).encode(), parts.port or 80)


async def _answer(
    opened: PodPort, server: httpcore.Origin, *, url: str, body: bytes | None, most_bytes: int
) -> bytes:
    connection = httpcore.AsyncHTTP11Connection(origin=server, stream=_Stream(opened))
    asked = connection.stream(
        "GET" if body is None else "POST",
        url,
        headers={"Accept-Encoding": "identity", "Connection": "close"},
        content=body,
    )
    async with connection, asked as answer:
        if answer.status != OK:
            raise UnansweredError(f"{urlsplit(url).path} answers {answer.status}")
        received = bytearray()
        async for part in answer.aiter_stream():
            received += part
            if len(received) > most_bytes:
                raise UnansweredError(f"{urlsplit(url).path} is longer than {most_bytes:,} bytes")
        return bytes(received)


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
        if buffer:
            await self._opened.write(buffer)

    async def aclose(self) -> None:
        """Leave it to who has opened the port."""
