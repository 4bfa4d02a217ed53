"""BigQuery on loopback: it takes what the discovery document has, and gives what a test says."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

from rehearsal.emulator.discovery import load
from rehearsal.emulator.schema import accepted

RECORDED = Path(__file__).parent / "answers" / "bill_2026_10.json"


def recorded(**changes: Any) -> dict[str, Any]:
    """The answer that was made by hand, with some keys changed; None takes one away."""
    answer = {**json.loads(RECORDED.read_text()), **changes}
    return {key: value for key, value in answer.items() if value is not None}


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One request."""

    method: str
    path: str
    parameters: dict[str, list[str]]
    body: dict[str, Any]
    headers: dict[str, str]


@dataclass
class BigQuery:
    """What was asked, and what is answered: the last answer again and again."""

    url: str = ""
    asked: list[Asked] = field(default_factory=list)
    answers: list[tuple[int, Any]] = field(default_factory=lambda: [(200, recorded())])

    def answer(self, asked: Asked) -> tuple[int, Any]:
        """The next answer, to a request that Google would take."""
        self.asked.append(asked)
        api = load("bigquery", "v2")
        match = api.match(http_method=asked.method, path=asked.path)
        if match is None or api.unknown_parameters(match.method, set(asked.parameters)):
            return 400, {"error": {"message": "no such method or parameter"}}
        if match.method.request_schema:
            accepted(api=api, schema=match.method.request_schema, body=asked.body)
        return self.answers[min(len(self.asked), len(self.answers)) - 1]


@contextmanager
def big_query() -> Iterator[BigQuery]:
    """Serve it."""
    served = BigQuery()

    class Handler(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            url = urlsplit(self.path)
            content = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            asked = Asked(
                method=self.command,
                path=url.path.removeprefix("/bigquery/v2/"),
                parameters=parse_qs(url.query),
                body=json.loads(content or b"{}"),
                headers=dict(self.headers),
            )
            status, answer = served.answer(asked)
            body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self) -> None:
            self._answer()

        def do_POST(self) -> None:
            self._answer()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        served.url = f"http://127.0.0.1:{server.server_port}/bigquery/v2/"
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield served
        finally:
            server.shutdown()
            thread.join()
