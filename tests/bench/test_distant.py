"""Unit: what is asked of a bucket is counted by kind, and too many writes of an object are told."""

import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import httpx
import pytest

from bench.distant import at_a_distance, kind_of, written_name

OBJECT = "%2Epulumi%2Fstacks%2Fdaskfleet%2Fprod.json"
OBJECTS = "/storage/v1/b/state/o"
UPLOAD = f"/upload{OBJECTS}?uploadType=multipart&name={OBJECT}"
COPY = f"{OBJECTS}/{OBJECT}/rewriteTo/b/state/o/{OBJECT}.bak"


@pytest.mark.parametrize(
    ("method", "path", "kind", "written"),
    [
        ("GET", f"{OBJECTS}?prefix=.pulumi%2F", "list", ""),
        ("GET", f"{OBJECTS}/{OBJECT}", "look", ""),
        ("GET", f"{OBJECTS}/{OBJECT}?alt=media", "read", ""),
        ("GET", "/state/.pulumi/meta.yaml", "read", ""),
        ("POST", UPLOAD, "write", ".pulumi/stacks/daskfleet/prod.json"),
        ("POST", COPY, "copy", ".pulumi/stacks/daskfleet/prod.json.bak"),
        ("DELETE", f"{OBJECTS}/{OBJECT}", "delete", ""),
    ],
)
def test_a_request_is_known_by_what_it_is_for(
    method: str, path: str, kind: str, written: str
) -> None:
    assert (kind_of(method, path), written_name(path)) == (kind, written)


class Says(BaseHTTPRequestHandler):
    """Answers every request with what it was asked."""

    def do_POST(self) -> None:
        """Answer."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        said = self.path.encode() + b" " + body
        self.send_response(200)
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, *_: object) -> None:
        """Say nothing on the terminal."""


@pytest.fixture
def server() -> Iterator[str]:
    """A server behind the distance."""
    server = HTTPServer(("127.0.0.1", 0), Says)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_request_waits_reaches_the_server_as_it_was_and_is_counted(server: str) -> None:
    with at_a_distance(server=server, latency_s=0.2, write_every_s=0) as distance:
        began_s = time.monotonic()
        answer = httpx.post(f"http://{distance.address}{UPLOAD}", content=b"checkpoint")
        taken_s = time.monotonic() - began_s
        asked, after = distance.taken(), distance.taken()

    assert answer.text == f"{UPLOAD} checkpoint"
    assert taken_s >= 0.2
    assert asked.requests == {"write": 1}
    assert asked.writes == {".pulumi/stacks/daskfleet/prod.json": 1}
    assert (asked.sent_bytes, asked.received_bytes) == (10, len(answer.text))
    assert after.requests == {}


def test_a_second_write_of_an_object_comes_too_soon_and_of_another_does_not(server: str) -> None:
    with at_a_distance(server=server, latency_s=0, write_every_s=60) as distance:
        paths = (UPLOAD, UPLOAD, COPY)
        statuses = [
            httpx.post(f"http://{distance.address}{path}", content=b"").status_code
            for path in paths
        ]
        asked = distance.taken()

    assert statuses == [200, 429, 200]
    assert asked.refused == 1
    assert asked.writes.total() == 2
