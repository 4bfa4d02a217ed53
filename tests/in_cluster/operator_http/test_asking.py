"""Unit: the operator's questions to a server that answers as it likes."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import aiohttp
import kopf
import pytest
from aiohttp import web

from in_cluster.operator_http import asking
from in_cluster.operator_http.answers import UnansweredError

SERVICE = "alpha-scheduler"
LOG = logging.getLogger(__name__)

Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]


def ask(
    monkeypatch: pytest.MonkeyPatch, answer: Answer, question: Callable[[], Awaitable[object]]
) -> object:
    """Ask while a server on loopback answers where the scheduler's name leads."""

    async def both() -> object:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", answer)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        port = runner.addresses[0][1]
        with to_loopback(monkeypatch, port):
            try:
                return await question()
            finally:
                await runner.cleanup()

    return asyncio.run(both())


@contextmanager
def to_loopback(monkeypatch: pytest.MonkeyPatch, port: int) -> Iterator[None]:
    request = aiohttp.ClientSession.request

    def redirected(
        session: aiohttp.ClientSession, method: str, url: str, **options: object
    ) -> object:
        assert url.startswith(f"http://{SERVICE}.alpha:8787/api/v1/")
        path = url.partition(":8787")[2]
        return request(session, method, f"http://127.0.0.1:{port}{path}", **options)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(aiohttp.ClientSession, "request", redirected)
        yield


async def retire() -> list[str]:
    return await asking.retire_workers(1, SERVICE, "alpha-default", "alpha", LOG)


async def idle() -> float:
    return await asking.check_scheduler_idle(SERVICE, "alpha", LOG)


async def desired() -> int:
    return await asking.get_desired_workers(SERVICE, "alpha")


def test_each_question_and_its_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    async def answer(request: web.Request) -> web.Response:
        match (request.method, request.path):
            case ("POST", "/api/v1/retire_workers"):
                assert await request.json() == {"n": 1}
                return web.json_response({"tcp://1": {"name": "alpha-default-worker-1"}})
            case ("GET", "/api/v1/check_idle"):
                return web.json_response({"idle_since": 5.0})
            case ("GET", "/api/v1/adaptive_target"):
                return web.json_response({"workers": 4})
        return web.Response(status=404)

    assert ask(monkeypatch, answer, retire) == ["alpha-default-worker-1"]
    assert ask(monkeypatch, answer, idle) == 5.0
    assert ask(monkeypatch, answer, desired) == 4


async def refuses(_: web.Request) -> web.Response:
    return web.Response(status=500, text="ask me by RPC")


async def leads_elsewhere(_: web.Request) -> web.Response:
    return web.Response(status=302, headers={"Location": "http://127.0.0.1:1/metadata"})


async def floods(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse()
    await response.prepare(request)
    for _ in range(64):
        await response.write(b" " * 65_536)
    return response


async def says_nothing(_: web.Request) -> web.Response:
    await asyncio.sleep(60)
    return web.Response()


async def nests(_: web.Request) -> web.Response:
    return web.Response(text="[" * 200_000)


@pytest.mark.parametrize("answer", [refuses, leads_elsewhere, floods, nests])
@pytest.mark.parametrize(
    ("question", "error"),
    [(retire, kopf.TemporaryError), (desired, kopf.TemporaryError), (idle, UnansweredError)],
)
def test_whatever_else_it_says_is_no_answer(
    monkeypatch: pytest.MonkeyPatch,
    answer: Answer,
    question: Callable[[], Awaitable[object]],
    error: type[Exception],
) -> None:
    with pytest.raises(error):
        ask(monkeypatch, answer, question)


def test_nobody_waits_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "TIMEOUT_S", 0.2)
    began = time.monotonic()
    with pytest.raises(UnansweredError):
        ask(monkeypatch, says_nothing, idle)
    assert time.monotonic() - began < 30  # the server is silent for a minute


def test_nobody_who_listens_is_no_answer() -> None:
    with pytest.raises(kopf.TemporaryError, match="keeps its workers"):
        asyncio.run(retire())
