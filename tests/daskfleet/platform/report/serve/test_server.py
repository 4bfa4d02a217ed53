"""Unit: who gets the live page, and what happens when a look fails."""

import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from daskfleet.cli import app
from daskfleet.platform.report.running.gather import GatherError
from daskfleet.platform.report.serve import cli
from daskfleet.platform.report.serve.server import PageServer
from tests.daskfleet.platform.report.running.fleets import TOKEN, troubled
from tests.daskfleet.platform.report.serve.served import Fake, served

PATIENCE_S = 20


@pytest.fixture
def fleet() -> Fake:
    return Fake()


@pytest.fixture
def server(fleet: Fake) -> Iterator[PageServer]:
    with served(fleet) as found:
        yield found


def get(server: PageServer, path: str = "", **headers: str) -> httpx.Response:
    return httpx.get(f"{server.url}{path}", headers=headers, trust_env=False)


def until(condition: Callable[[], bool]) -> None:
    give_up_at = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < give_up_at
        time.sleep(0.02)


def test_the_page_is_at_loopback_and_may_ask_nobody_but_this_server(server: PageServer) -> None:
    answer = get(server)
    assert server.server_address[0] == "127.0.0.1"
    assert answer.status_code == 200
    assert "connect-src 'self'" in answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Content-Security-Policy"] == "frame-ancestors 'none'"


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:{port}", "127.0.0.1", "", "localhost.evil.example:{port}"],
)
@pytest.mark.parametrize("path", ["", "state"])
def test_by_another_name_nothing_is_told(server: PageServer, host: str, path: str) -> None:
    answer = get(server, path, Host=host.format(port=server.server_port))
    assert answer.status_code == 421
    assert "Stack" not in answer.text


def test_localhost_is_a_name_of_this_machine(server: PageServer) -> None:
    assert get(server, Host=f"localhost:{server.server_port}").status_code == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_nothing_can_be_asked_but_to_read(server: PageServer, method: str) -> None:
    answer = httpx.request(method, server.url, trust_env=False)
    assert answer.status_code == 501
    assert "Stack" not in answer.text


@pytest.mark.parametrize("path", ["../etc/passwd", "%2e%2e/", "state/", "?x=1", "favicon.ico"])
def test_there_is_nothing_else(server: PageServer, path: str) -> None:
    assert get(server, path).status_code == 404


def test_a_look_that_fails_keeps_the_last_page_which_says_so(
    server: PageServer, fleet: Fake
) -> None:
    fleet.fails = f"the login has expired: Bearer {TOKEN}"
    until(lambda: get(server, "state").json()["stale"] != "")
    page = get(server).text
    assert "The last look failed, so this is less than a minute old: the login" in page
    assert "No open problem." in page
    assert TOKEN not in page
    fleet.fails = ""
    until(lambda: get(server, "state").json()["stale"] == "")


def test_what_changes_is_another_page(server: PageServer, fleet: Fake) -> None:
    before = get(server, "state").json()["made"]
    fleet.seen = troubled
    until(lambda: "open problems" in get(server).text)
    assert get(server, "state").json()["made"] != before


def test_however_many_ask_one_looks_at_a_time(server: PageServer, fleet: Fake) -> None:
    before = fleet.looks
    with ThreadPoolExecutor(20) as crowd:
        answers = list(crowd.map(lambda _: get(server).status_code, range(100)))
    assert answers == [200] * 100
    assert fleet.at_once == 1
    assert fleet.looks - before < 100


def test_a_client_that_goes_while_it_is_answered_says_nothing_at_the_terminal(
    server: PageServer, capfd: pytest.CaptureFixture[str]
) -> None:
    at_once = struct.pack("ii", 1, 0)  # close by a reset
    for _ in range(5):
        with socket.create_connection(("127.0.0.1", server.server_port)) as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, at_once)
            client.sendall(b"GET / HTTP/1.1\r\nX: ")
            time.sleep(0.05)
    assert get(server).status_code == 200
    time.sleep(0.1)
    said = capfd.readouterr()
    assert (said.out, said.err) == ("", "")


def test_without_a_first_look_there_is_no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    class Unreadable:
        def __init__(self, _: object) -> None:
            pass

        async def view(self) -> None:
            raise GatherError("The stack has no outputs.")

    monkeypatch.setattr(cli, "Gatherer", Unreadable)
    done = CliRunner().invoke(app, ["serve", "--stack", "prod", "--port", "0"])
    assert done.exit_code == 1
    assert "The stack has no outputs." in done.stderr


def test_who_holds_many_connections_gets_no_thread_for_each(
    server: PageServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    places, taken = threading.BoundedSemaphore(2), threading.Semaphore(0)
    monkeypatch.setattr(server, "_places", places)
    answer = server.process_request_thread

    def held(*connection: Any) -> None:
        taken.release()
        answer(*connection)

    monkeypatch.setattr(server, "process_request_thread", held)
    place = ("127.0.0.1", server.server_port)
    with ExitStack() as clients:
        for _ in range(2):
            clients.enter_context(socket.create_connection(place, timeout=PATIENCE_S))
            assert taken.acquire(timeout=PATIENCE_S)
        late = clients.enter_context(socket.create_connection(place, timeout=PATIENCE_S))
        assert late.recv(1) == b""
    for _ in range(2):
        assert places.acquire(timeout=PATIENCE_S)
    places.release(2)
    assert get(server).status_code == 200


def test_a_thread_that_cannot_be_started_keeps_no_place(
    server: PageServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(server, "_places", threading.BoundedSemaphore(1))
    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", full)
        with pytest.raises(httpx.TransportError):
            get(server)
    assert get(server).status_code == 200
