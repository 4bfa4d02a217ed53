"""Google's billing catalog on loopback, with answers made by hand in its documented form."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

from daskfleet.google_cloud.billing_catalog import Page, Sku

ANSWERS = Path(__file__).parent / "answers"
PAGES = {"": ANSWERS / "skus_page_1.json", "the-second-page": ANSWERS / "skus_page_2.json"}


def skus(*more: dict[str, Any], without: str = "-") -> tuple[Sku, ...]:
    """All of both pages whose description does not have the words, and some more."""
    found = [
        sku
        for file in PAGES.values()
        for sku in Page.model_validate_json(file.read_bytes()).skus
        if without not in sku.description
    ]
    return (*found, *(Sku.model_validate(each) for each in more))


@dataclass
class Catalog:
    """What was asked, and what is answered in place of the pages."""

    url: str = ""
    asked: list[tuple[str, dict[str, list[str]], dict[str, str]]] = field(default_factory=list)
    instead: tuple[int, object] | None = None

    def answer(self, token: str) -> tuple[int, bytes]:
        """One page, or what stands in for it from the second on."""
        if self.instead and token:
            return self.instead[0], json.dumps(self.instead[1]).encode()
        return 200, PAGES[token].read_bytes()


@contextmanager
def billing_catalog() -> Iterator[Catalog]:
    """Serve it."""
    catalog = Catalog()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            url = urlsplit(self.path)
            query = parse_qs(url.query)
            catalog.asked.append((url.path, query, dict(self.headers)))
            status, body = catalog.answer(query.get("pageToken", [""])[0])
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        catalog.url = f"http://127.0.0.1:{server.server_port}/v1/"
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield catalog
        finally:
            server.shutdown()
            thread.join()
