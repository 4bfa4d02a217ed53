"""HTTP to a pod through the API server, as ``kubectl port-forward`` has it, without a local port.

Through the kubelet, because nothing else gets in: the API server's own proxy and every pod outside
of the team's namespace are kept out by its network policies.
"""

import asyncio
import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import httpcore
import httpx
import kr8s.asyncio

from daskfleet.access.pod_port import ERRORS, PodPort, PodRefusedError, first_of, open_pod_port

REQUEST_TIMEOUT_S = 15
MOST_BYTES = 4 * 1024 * 1024
"""Of an answer: it comes from a team's pod, which may say anything."""

UNANSWERED = (*ERRORS, RecursionError, ValueError)


class PodUnansweredError(Exception):
    """No usable answer came from the pod."""


async def ask_json(
    api: kr8s.asyncio.Api,
    *,
    namespace: str,
    pod: str,
    url: str,
    body: Mapping[str, Any] | None = None,
    timeout_s: float = REQUEST_TIMEOUT_S,
) -> Any:
    """Send GET to a pod of a namespace, or POST with a body, and return the JSON of the answer.

    The URL names the port and the host that it is called. Raises ``PodUnansweredError``.
    """
    try:
        async with asyncio.timeout(timeout_s):
            return await _ask_json(api, namespace=namespace, pod=pod, url=url, body=body)
    except* UNANSWERED as group:
        error = first_of(group)
        raise PodUnansweredError(f"{type(error).__name__}: {error}") from error


async def _ask_json(
    api: kr8s.asyncio.Api, *, namespace: str, pod: str, url: str, body: Mapping[str, Any] | None
) -> Any:
    parts = urlsplit(url)
    port = parts.port or 80
    origin = httpcore.Origin(b"http", str(parts.hostname).encode(), port)
    async with open_pod_port(api, namespace=namespace, pod=pod, port=port) as forwarded:
        connection = httpcore.AsyncHTTP11Connection(origin=origin, stream=_PodStream(forwarded))
        asked = connection.stream(
            "GET" if body is None else "POST",
            url,
            headers={"Connection": "close"},
            content=None if body is None else json.dumps(body).encode(),
        )
        async with asked as response:
            if response.status != httpx.codes.OK:
                raise ValueError(f"HTTP {response.status}")
            answer = b""
            async for part in response.aiter_stream():
                answer += part
                if len(answer) > MOST_BYTES:
                    raise ValueError(f"an answer of more than {MOST_BYTES} bytes")
        return json.loads(answer)


class _PodStream(httpcore.AsyncNetworkStream):
    """A forwarded port as httpcore wants it."""

    def __init__(self, port: PodPort) -> None:
        self._port = port
        self._received = b""

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109
        if not self._received:
            try:
                self._received = await self._port.read(timeout)
            except PodRefusedError as error:
                raise httpcore.ReadError(str(error)) from error
        part, self._received = self._received[:max_bytes], self._received[max_bytes:]
        return part

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002, ASYNC109
        if buffer:
            await self._port.write(buffer)

    async def aclose(self) -> None:
        """The port around it closes the connection."""
