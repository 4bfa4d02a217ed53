"""The page over HTTP, on this machine's loopback alone, for reading alone."""

import json
import socket
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

from daskfleet.platform.report.serve.keeper import Keeper

LOOPBACK = "127.0.0.1"
SLOW_CLIENT_S = 10
"""After which a connection on which nothing comes is closed."""

MOST_AT_ONCE = 64
"""Connections that are answered at the same moment, a thread each. A browser has six."""

Request = socket.socket | tuple[bytes, socket.socket]
"""As socketserver has it."""

HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""No other page may frame or read this one; what it may load stands in the page itself."""


class PageServer(ThreadingHTTPServer):
    """Serves what a keeper keeps."""

    daemon_threads = True
    request_queue_size = MOST_AT_ONCE

    def __init__(self, keeper: Keeper, *, port: int) -> None:
        """Listen; with port 0 at a free one.

        Raises:
            OSError: the port is taken.

        """
        super().__init__((LOOPBACK, port), _Handler)
        self.keeper = keeper
        self._places = threading.BoundedSemaphore(MOST_AT_ONCE)

    def process_request(self, request: Request, client_address: object) -> None:
        """Answer in a thread of its own; what is too much is closed, and comes again by itself."""
        if not self._places.acquire(blocking=False):
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except BaseException:
            # No thread could be started, so none will make room again.
            self._places.release()
            raise

    def process_request_thread(self, request: Request, client_address: object) -> None:
        """Answer, and make room for another one."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._places.release()

    def handle_error(self, *_: object) -> None:
        """Say nothing of a client that goes while it is answered; any page may make one do so."""

    @property
    def url(self) -> str:
        """Where the page is."""
        return f"http://{LOOPBACK}:{self.server_port}/"

    @property
    def hosts(self) -> frozenset[str]:
        """What a browser calls this machine; a name of anybody else's may point here, too."""
        return frozenset(f"{name}:{self.server_port}" for name in (LOOPBACK, "localhost"))


class _Handler(BaseHTTPRequestHandler):
    server: PageServer
    timeout: ClassVar[float] = SLOW_CLIENT_S
    server_version = "daskfleet"
    sys_version = ""

    def do_GET(self) -> None:
        """Answer with the page, or with how new it is."""
        if self.headers.get("Host") not in self.server.hosts:
            # A page of somebody else's whose name was made to point here (DNS rebinding).
            self._answer(HTTPStatus.MISDIRECTED_REQUEST, "text/plain", "Not by this name.")
            return
        shown = self.server.keeper.shown
        if self.path == "/":
            self._answer(HTTPStatus.OK, "text/html", shown.html)
        elif self.path == "/state":
            state = json.dumps({"made": shown.made, "stale": shown.stale})
            self._answer(HTTPStatus.OK, "application/json", state)
        else:
            self._answer(HTTPStatus.NOT_FOUND, "text/plain", "There is / and /state.")

    do_HEAD = do_GET  # noqa: N815 - the library's name

    def _answer(self, status: HTTPStatus, kind: str, text: str) -> None:
        content = text.encode()
        self.send_response(status)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Say nothing: who looks is nobody's business."""
