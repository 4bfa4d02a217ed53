"""Integration: probes ask a real server, port and program on loopback."""

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from aiohttp import web

from rehearsal.dask_pods.probe_spec import probes_of
from rehearsal.dask_pods.probes import Probes, ProbeTarget, ask

pytestmark = pytest.mark.asyncio

Ask = Callable[..., Awaitable[str | None]]


@pytest_asyncio.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(timeout=None) as client:  # noqa: S113
        yield client


@pytest.fixture
def target(tmp_path: Path) -> ProbeTarget:
    environment = {"PATH": "/usr/bin:/bin", "WORD": "hello"}
    return ProbeTarget(loopback="127.0.0.1", environment=environment, directory=tmp_path)


@pytest_asyncio.fixture
async def port() -> AsyncIterator[int]:
    """A server: /status/N answers N, /slow takes its time, /header wants one."""

    async def status(request: web.Request) -> web.Response:
        headers = {"Location": "/status/500"}
        return web.Response(status=int(request.match_info["code"]), headers=headers)

    async def slow(_: web.Request) -> web.Response:
        await asyncio.sleep(1)
        return web.Response()

    async def header(request: web.Request) -> web.Response:
        return web.Response(status=200 if request.headers.get("X-Probe") == "yes" else 400)

    app = web.Application()
    app.router.add_get("/status/{code}", status)
    app.router.add_get("/slow", slow)
    app.router.add_get("/header", header)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield int(runner.addresses[0][1])
    await runner.cleanup()


@pytest.fixture
def asked(client: httpx.AsyncClient, target: ProbeTarget) -> Ask:
    async def asked(**probe: Any) -> str | None:
        (spec,) = probes_of({"readinessProbe": {"timeoutSeconds": 10, **probe}})
        return await ask(spec, target, client)

    return asked


@pytest.mark.parametrize(
    ("code", "failure"),
    [
        (200, None),
        (302, None),
        (399, None),
        (404, "HTTP probe failed with statuscode: 404"),
        (500, "HTTP probe failed with statuscode: 500"),
    ],
)
async def test_a_status_below_400_is_well(
    asked: Ask, port: int, code: int, failure: str | None
) -> None:
    assert await asked(httpGet={"port": port, "path": f"/status/{code}"}) == failure


async def test_headers_are_sent(asked: Ask, port: int) -> None:
    get = {"port": port, "path": "header"}
    assert await asked(httpGet=get) == "HTTP probe failed with statuscode: 400"
    assert (
        await asked(httpGet={**get, "httpHeaders": [{"name": "X-Probe", "value": "yes"}]}) is None
    )


async def test_an_answer_that_takes_too_long_is_a_failure(asked: Ask, port: int) -> None:
    failure = await asked(httpGet={"port": port, "path": "/slow"}, timeoutSeconds=0.1)
    assert failure == "no answer within 0.1 s"


async def test_a_port_that_nobody_listens_on_is_a_failure(asked: Ask, port: int) -> None:
    assert await asked(tcpSocket={"port": port}) is None
    refused = await asked(tcpSocket={"port": 1})
    assert refused is not None
    assert refused.startswith("ConnectionRefusedError")
    refused = await asked(httpGet={"port": 1})
    assert refused is not None
    assert refused.startswith("ConnectError")


async def test_a_program_is_asked_with_the_containers_environment(asked: Ask) -> None:
    assert await asked(exec={"command": ["sh", "-c", "test $WORD = hello"]}) is None
    failure = await asked(exec={"command": ["sh", "-c", "echo not yet; exit 3"]})
    assert failure == "not yet"
    failure = await asked(exec={"command": ["no-such-program"]})
    assert failure is not None
    assert failure.startswith("FileNotFoundError")


async def test_a_program_that_takes_too_long_is_ended_with_its_children(
    asked: Ask, tmp_path: Path
) -> None:
    script = "(sleep 1; touch survived) & sleep 30"
    failure = await asked(exec={"command": ["sh", "-c", script]}, timeoutSeconds=0.2)
    assert failure == "no answer within 0.2 s"
    await asyncio.sleep(1.2)
    assert not (tmp_path / "survived").exists()


async def test_readiness_waits_for_the_startup_probe(
    client: httpx.AsyncClient, target: ProbeTarget, tmp_path: Path
) -> None:
    script = f"import sys, pathlib; sys.exit(not pathlib.Path({str(tmp_path / 'up')!r}).exists())"
    container = {
        "startupProbe": {
            "exec": {"command": [sys.executable, "-c", script]},
            "timeoutSeconds": 10,
            "periodSeconds": 60,
        },
        "readinessProbe": {"exec": {"command": ["true"]}, "periodSeconds": 60},
    }
    probes = Probes(probes_of(container), target=target, client=client, now=time.monotonic())
    for _ in range(10):
        await probes.look(time.monotonic())
        await asyncio.sleep(0.05)
    assert not probes.is_started
    assert not probes.is_ready
    (tmp_path / "up").touch()
    async with asyncio.timeout(10):
        while not probes.is_ready:
            await probes.look(time.monotonic())
            await asyncio.sleep(0.05)
    assert probes.is_started
    assert probes.failed is None
    probes.stop()
