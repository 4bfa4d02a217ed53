"""Unit: what a scheduler may answer without harm to the other teams, whose controller it is too."""

import gzip
import json
import socketserver
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest

from in_cluster.idle_controller import apis
from in_cluster.idle_controller.apis import UNANSWERED, Schedulers

CLUSTER = {"metadata": {"name": "alpha", "namespace": "alpha"}}
DRIPS_FOR_S = 5
COUNTS = {"workers": 2, "memory": 3, "desired_workers": 4, "tasks": 5, "clients": 2}


@contextmanager
def scheduler(
    idle: bytes, monkeypatch: pytest.MonkeyPatch, *, counts: bytes, encoding: str = ""
) -> Iterator[None]:
    """Serve these answers where the controller looks for the cluster's scheduler."""

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(httpx.codes.OK)
            if encoding:
                self.send_header("Content-Encoding", encoding)
            self.end_headers()
            self.wfile.write(idle if self.path.endswith("check_idle") else counts)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}"
        monkeypatch.setattr(apis, "_server", lambda _: url)
        yield
        server.shutdown()


def test_an_answer_in_order_is_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    idle = json.dumps({"idle_since": 1_800_000_000}).encode()
    with scheduler(idle, monkeypatch, counts=json.dumps(COUNTS).encode()):
        found = Schedulers().ask(CLUSTER)
    assert (found.workers, found.held_results, found.desired_workers) == (2, 3, 4)
    assert (found.tasks, found.clients) == (5, 1)
    assert found.idle_since is not None
    assert found.idle_since.timestamp() == 1_800_000_000


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"[]",
        b"null",
        b'{"idle_since": "yesterday"}',
        b'{"idle_since": 1e300}',
        b'{"idle_since": -1e17}',
        b'{"idle_since": NaN}',
        b"[" * 100_000,
        b'{"idle_since": ' + b" " * (apis.MOST_BYTES + 1) + b"null}",
    ],
    ids=lambda answer: answer[:24].decode(),
)
def test_a_lie_is_no_answer_and_nothing_else(
    answer: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        scheduler(answer, monkeypatch, counts=json.dumps(COUNTS).encode()),
        pytest.raises(UNANSWERED),
    ):
        Schedulers().ask(CLUSTER)


def test_a_compressed_answer_is_not_inflated(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = gzip.compress(b'{"idle_since": null}')
    with (
        scheduler(packed, monkeypatch, counts=b"{}", encoding="gzip"),
        pytest.raises(ValueError, match="encoded answer"),
    ):
        Schedulers().ask(CLUSTER)


@pytest.mark.parametrize("workers", [None, [], "1e999", 1e999], ids=str)
def test_counts_that_are_none_are_no_answer(
    workers: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = json.dumps({**COUNTS, "workers": workers}).encode()
    with (
        scheduler(b'{"idle_since": null}', monkeypatch, counts=counts),
        pytest.raises(UNANSWERED),
    ):
        Schedulers().ask(CLUSTER)


@pytest.mark.parametrize(
    "drops",
    [b"HTTP/1.1 103 Early Hints\r\n\r\n", b"HTTP/1.1 200 OK\r\nX: ", b"a"],
    ids=["announcements", "a header", "a status"],
)
def test_an_answer_that_never_begins_holds_nobody_up(
    drops: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apis, "TIMEOUT_S", 0.5)
    with dripping(drops, monkeypatch):
        began = time.monotonic()
        with pytest.raises(UNANSWERED):
            Schedulers().ask(CLUSTER)
    assert time.monotonic() - began < DRIPS_FOR_S


@contextmanager
def dripping(drops: bytes, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Serve the first bytes of an answer again and again, each sooner than httpx gives up."""

    class Drips(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            ends = time.monotonic() + DRIPS_FOR_S
            with suppress(OSError):
                while time.monotonic() < ends:
                    self.request.sendall(drops)
                    time.sleep(0.1)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Drips) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}"
        monkeypatch.setattr(apis, "_server", lambda _: url)
        yield
        server.shutdown()
