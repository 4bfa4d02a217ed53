"""HTTP to a pod through the API server, as ``kubectl port-forward`` has it, without a local port.

Through the kubelet, because nothing else gets in: the API server's own proxy and every pod outside
of the team's namespace are kept out by its network policies. Not through kr8s' port-forward (0.20),
which tries for ever, without a pause, while the pod refuses.
"""

import asyncio
import json
from typing import Any
from urllib.parse import urlsplit

import httpcore
import httpx
import httpx_ws
import kr8s
import kr8s.asyncio

REQUEST_TIMEOUT_S = 15
DATA_CHANNEL = 0
ERRORS = (
    TimeoutError,
    OSError,
    httpcore.NetworkError,
    httpcore.ProtocolError,
    httpx.TransportError,
    httpx_ws.HTTPXWSException,
    kr8s.ServerError,
    ValueError,
)


class PodUnansweredError(Exception):
    """No usable answer came from the pod."""


async def get_json(api: kr8s.asyncio.Api, *, namespace: str, pod: str, url: str) -> Any:
    """Send GET to a pod of a namespace; the URL names the port and the host that it is called.

    Raises ``PodUnansweredError``.
    """
    try:
        async with asyncio.timeout(REQUEST_TIMEOUT_S):
            return await _get_json(api, namespace=namespace, pod=pod, url=url)
    except* ERRORS as group:
        error: BaseException = group
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        raise PodUnansweredError(f"{type(error).__name__}: {error}") from error


async def _get_json(api: kr8s.asyncio.Api, *, namespace: str, pod: str, url: str) -> Any:
    parts = urlsplit(url)
    origin = httpcore.Origin(b"http", str(parts.hostname).encode(), parts.port or 80)
    async with api.open_websocket(
        version="v1",
        namespace=namespace,
        url=f"pods/{pod}/portforward",
        params={"ports": str(parts.port)},
    ) as websocket:
        connection = httpcore.AsyncHTTP11Connection(origin=origin, stream=_PodStream(websocket))
        response = await connection.request("GET", url, headers={"Connection": "close"})
        if response.status != httpx.codes.OK:
            raise ValueError(f"HTTP {response.status}")
        return json.loads(response.content)


class _PodStream(httpcore.AsyncNetworkStream):
    """The bytes of one forwarded port; channel 0 carries them, channel 1 errors."""

    def __init__(self, websocket: httpx_ws.AsyncWebSocketSession) -> None:
        self._websocket = websocket
        self._begun: set[int] = set()
        self._received = b""

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109
        while not self._received:
            try:
                channel, *_ = frame = await self._websocket.receive_bytes(timeout)
            except httpx_ws.WebSocketDisconnect:
                return b""
            if channel not in self._begun:
                self._begun.add(channel)
            elif channel == DATA_CHANNEL:
                self._received = frame[1:]
            else:
                raise httpcore.ReadError(frame[1:].decode(errors="replace"))
        part, self._received = self._received[:max_bytes], self._received[max_bytes:]
        return part

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002, ASYNC109
        if buffer:
            await self._websocket.send_bytes(bytes([DATA_CHANNEL]) + buffer)

    async def aclose(self) -> None:
        """The session around it closes the connection."""
