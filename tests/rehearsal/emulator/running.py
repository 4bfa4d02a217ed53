"""An emulator for the length of a test, and one that serves clients that block."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from typing import TYPE_CHECKING, Any

import httpx

from rehearsal.emulator import Emulator, KubernetesBackend, Latency, NoKubernetes

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
    from pathlib import Path

    from rehearsal.emulator import ClusterBackend
    from rehearsal.emulator.backend import ClusterRef, Endpoint
    from rehearsal.emulator.document import Document
    from rehearsal.toolchain import Binaries

LOCATION = "/container/v1beta1/projects/acme/locations/us-central1-c"
CLUSTER = "clusters/rapids"
POOLS = f"{CLUSTER}/nodePools"
ONE_POOL_CLUSTER = {"cluster": {"name": "rapids", "initialNodeCount": 1}}
T4 = {"acceleratorType": "nvidia-tesla-t4", "acceleratorCount": "1"}
T4_POOL = {
    "nodePool": {
        "name": "t4",
        "initialNodeCount": 1,
        "config": {"machineType": "n1-standard-4", "accelerators": [T4]},
    }
}


class Client:
    """Talks JSON to one emulator."""

    def __init__(self, emulator: Emulator, http: httpx.AsyncClient) -> None:
        self.emulator = emulator
        self._http = http

    async def call(self, method: str, path: str, body: object = None) -> httpx.Response:
        """Send one request; paths are the emulator's or relative to the test's location."""
        if not path.startswith("/"):
            path = f"{LOCATION}/{path}"
        return await self._http.request(method, self.emulator.base_url + path, json=body)

    async def ok(self, method: str, path: str, body: object = None) -> dict[str, Any]:
        """Send one request that must succeed."""
        answer = await self.call(method, path, body)
        assert answer.status_code == 200, answer.text
        document = answer.json()
        assert isinstance(document, dict)
        return document


class Gated(NoKubernetes):
    """Nothing comes or goes behind a cluster while a test holds it up."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()
        self.gate.set()

    async def create(self, cluster: ClusterRef) -> Endpoint:
        """Wait for the gate."""
        await self.gate.wait()
        return await super().create(cluster)

    async def delete(self, cluster: ClusterRef) -> None:
        """Wait for the gate."""
        await self.gate.wait()
        await super().delete(cluster)

    async def add_node(self, cluster: ClusterRef, node: Document) -> None:
        """Wait for the gate."""
        await self.gate.wait()
        await super().add_node(cluster, node)


PATIENCE_S = 120.0
"""For what takes seconds: a shared machine has been seen to stand still for half a minute."""


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    """Poll until ``condition`` holds. Raises TimeoutError."""
    async with asyncio.timeout(PATIENCE_S):
        while not await condition():  # noqa: ASYNC110 - what is waited for lies behind HTTP
            await asyncio.sleep(0.05)


@contextlib.asynccontextmanager
async def emulated(
    tmp_path: Path,
    *,
    latency: Latency | None = None,
    backend: ClusterBackend | None = None,
    kept: dict[str, Any] | None = None,
    port: int = 0,
) -> AsyncIterator[Client]:
    """Serve an emulator in this event loop; without Kubernetes and fast unless told."""
    emulator = Emulator(
        backend=backend or NoKubernetes(),
        latency=latency or Latency.fast(),
        request_log=tmp_path / "requests.jsonl",
        kept=kept,
    )
    await emulator.start(port=port)
    try:
        async with httpx.AsyncClient(timeout=60) as http:
            yield Client(emulator, http)
    finally:
        await emulator.stop()


def on_a_cluster(
    tmp_path: Path,
    body: Callable[[Client], Awaitable[None]],
    latency: Latency | None = None,
    backend: ClusterBackend | None = None,
) -> None:
    """Run ``body`` on an emulator that has the cluster of ``ONE_POOL_CLUSTER``."""

    async def run() -> None:
        async with emulated(tmp_path, latency=latency, backend=backend) as client:
            await finished(client, await client.ok("POST", "clusters", ONE_POOL_CLUSTER))
            await body(client)

    asyncio.run(run())


async def finished(client: Client, operation: dict[str, Any]) -> dict[str, Any]:
    """Poll an operation until it is done."""
    async with asyncio.timeout(10):
        while operation["status"] != "DONE":
            await asyncio.sleep(0.01)
            operation = await client.ok("GET", f"operations/{operation['name']}")
    return operation


def on_control_planes(
    tmp_path: Path,
    body: Callable[[Client, KubernetesBackend], Awaitable[None]],
    *,
    binaries: Binaries,
    latency: Latency,
) -> None:
    """Run ``body`` on an emulator whose clusters have real control planes, in ``clusters/``."""

    async def run() -> None:
        backend = KubernetesBackend(binaries=binaries, directory=tmp_path / "clusters")
        async with emulated(tmp_path, latency=latency, backend=backend) as client:
            await body(client, backend)

    asyncio.run(run())


@contextlib.contextmanager
def emulated_in_thread(tmp_path: Path, *, latency: Latency | None = None) -> Iterator[Emulator]:
    """Serve an emulator from a thread, for clients that block; fast unless told."""
    emulator = Emulator(
        backend=NoKubernetes(),
        latency=latency or Latency.fast(),
        request_log=tmp_path / "requests.jsonl",
    )
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    asyncio.run_coroutine_threadsafe(emulator.start(), loop).result()
    try:
        yield emulator
    finally:
        asyncio.run_coroutine_threadsafe(emulator.stop(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
