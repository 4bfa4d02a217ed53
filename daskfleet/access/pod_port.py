"""A port of a pod through the API server, as ``kubectl port-forward`` has it, without a local port.

Not kr8s' own port-forward (0.20): it asks again for ever, without a pause, while a pod refuses, and
keeps to a pod that is gone.
"""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import httpcore
import httpx
import httpx_ws
import kr8s
import kr8s.asyncio
from wsproto.utilities import LocalProtocolError

OPEN_TIMEOUT_S = 15
PING_EVERY_S = 20
"""A connection that has died without a word, as under a laptop that was closed, is found to be dead
by nothing else: nobody tells, and a Dask client waits."""

DATA_CHANNEL = 0

ERRORS = (
    TimeoutError,
    OSError,
    httpcore.NetworkError,
    httpcore.ProtocolError,
    httpx.TransportError,
    httpx_ws.HTTPXWSException,
    kr8s.ServerError,
    kr8s.APITimeoutError,
)
"""What opening and using a port may raise, alone or in an exception group."""


class PodRefusedError(OSError):
    """The pod's end failed, for example because nothing listens there; in the kubelet's words."""


class PodPort:
    """The bytes of one forwarded port; channel 0 carries them, channel 1 errors."""

    def __init__(self, websocket: httpx_ws.AsyncWebSocketSession) -> None:
        self._websocket = websocket
        self._begun: set[int] = set()

    async def read(self, timeout_s: float | None = None) -> bytes:
        """Return what came next; nothing when the pod has closed the connection."""
        while True:
            try:
                channel, *_ = frame = await self._websocket.receive_bytes(timeout_s)
            except httpx_ws.WebSocketDisconnect:
                return b""
            if channel not in self._begun:  # its first frame says which port it is
                self._begun.add(channel)
            elif channel != DATA_CHANNEL:
                raise PodRefusedError(frame[1:].decode(errors="replace"))
            elif len(frame) > 1:
                return frame[1:]

    async def write(self, data: bytes) -> None:
        """Send to the pod."""
        try:
            await self._websocket.send_bytes(bytes([DATA_CHANNEL]) + data)
        except LocalProtocolError as error:  # it ends because nobody has answered a ping
            raise PodRefusedError("the connection has ended") from error


@asynccontextmanager
async def open_pod_port(
    api: kr8s.asyncio.Api, *, namespace: str, pod: str, port: int
) -> AsyncIterator[PodPort]:
    """Connect to a port of a pod; raises ``ERRORS``, now or in the body, perhaps in a group.

    With a session of its own: the one of ``api`` is closed, and what it carries with it, when the
    token has expired, which Google's has after an hour (kr8s 0.20, ``Api._create_session``).
    """
    auth = api.auth
    names = {"sni_hostname": auth.tls_server_name} if auth.tls_server_name else {}
    async with httpx.AsyncClient(
        base_url=auth.server,
        headers={"Authorization": f"Bearer {auth.token}"} if auth.token else {},
        verify=await auth.ssl_context(),  # type: ignore[no-untyped-call]
        timeout=OPEN_TIMEOUT_S,
        proxy=auth.proxy,
    ) as session:
        connecting: AbstractAsyncContextManager[httpx_ws.AsyncWebSocketSession]
        connecting = httpx_ws.aconnect_ws(
            f"/api/v1/namespaces/{namespace}/pods/{pod}/portforward",
            session,
            params={"ports": str(port)},
            keepalive_ping_interval_seconds=PING_EVERY_S,
            keepalive_ping_timeout_seconds=PING_EVERY_S,
            extensions=names,
        )
        async with connecting as websocket:
            yield PodPort(websocket)


def first_of(error: BaseException) -> BaseException:
    """Return the exception itself, or the first inside of a group."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
