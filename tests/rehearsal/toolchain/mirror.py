"""A server on this machine that publishes files as the official sites do."""

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from rehearsal.toolchain.releases import Download


class Mirror:
    """A release page whose files a test decides."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        mirror = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                content = mirror.files.get(self.path)
                self.send_response(200 if content is not None else 404)
                self.end_headers()
                self.wfile.write(content or b"")

            def log_message(self, *_: object) -> None:
                """Keep quiet."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def publish(self, name: str, content: bytes, *, digest: str | None = None) -> None:
        """Serve a file, and a digest for it: its own unless another one is given."""
        digest = digest or hashlib.sha256(content).hexdigest()
        self.files[f"/{name}"] = content
        self.files[f"/{name}.sha256"] = f"{digest}  {name}\n".encode()

    def download(self, name: str, **fields: tuple[str, ...]) -> Download:
        """Pin a published file."""
        url = f"{self.url}/{name}"
        return Download(url=url, checksums_url=f"{url}.sha256", **fields)


@contextmanager
def serving() -> Iterator[Mirror]:
    """A mirror for the length of a test."""
    mirror = Mirror()
    thread = threading.Thread(target=mirror.server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield mirror
    finally:
        mirror.server.shutdown()
        mirror.server.server_close()
        thread.join()
