"""An API server that gives prepared answers, and the kubeconfig that leads to it."""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

Answers = Mapping[str, tuple[int, dict[str, Any] | str]]
"""Status and document, or plain text, by method and path; what is not there is 404."""

VERSION = {"major": "1", "minor": "35", "gitVersion": "v1.35.0"}


@contextmanager
def played_api(answers: Answers, directory: Path) -> Iterator[list[tuple[str, Any]]]:
    """Answer, and keep what is written; the kubeconfig is in the directory."""
    written: list[tuple[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            asked = f"{self.command} {self.path.partition('?')[0]}"
            length = int(self.headers.get("Content-Length") or 0)
            if body := self.rfile.read(length):
                written.append((asked, json.loads(body)))
            version = (200, VERSION) if asked.startswith("GET /version") else None
            status, document = answers.get(asked) or version or (404, {"message": "not found"})
            text = document if isinstance(document, str) else json.dumps(document)
            content = text.encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_PATCH = _answer  # noqa: N815  (the library's names)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        kubeconfig = kubeconfig_to(f"http://127.0.0.1:{server.server_port}")
        (directory / "kubeconfig").write_text(json.dumps(kubeconfig), encoding="utf-8")
        yield written
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def kubeconfig_to(server: str, *, context: str = "gke_prod") -> dict[str, Any]:
    """Return a kubeconfig with a token."""
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "c", "cluster": {"server": server}}],
        "users": [{"name": "u", "user": {"token": "t"}}],
        "contexts": [{"name": context, "context": {"cluster": "c", "user": "u"}}],
        "current-context": context,
    }
