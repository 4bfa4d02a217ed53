"""What a Kubernetes API server lists of a made fleet, page by page, and how often it was asked."""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.daskfleet.access.played_api import VERSION, kubeconfig_to
from tests.daskfleet.team.status.objects import cluster, group, pod

WORKERS = 4
REST_OF_A_POD = "x" * 6000
"""A real pod is about 8 kB as JSON: environment, volumes, tolerations, who manages which field."""

Lists = Mapping[str, list[dict[str, Any]]]


def lists_of(names: tuple[str, ...]) -> Lists:
    """Make what is listed of equal teams, all of them ready."""
    pods = [
        _in(name, pod(f"{name}-{each}", "worker" if each else "scheduler", cluster=name), each)
        for name in names
        for each in range(WORKERS + 1)
    ]
    for each in pods:
        each["metadata"]["annotations"] = {"rest": REST_OF_A_POD}
    dask = "/apis/kubernetes.dask.org/v1"
    return {
        "/api/v1/pods": pods,
        "/api/v1/events": [],
        "/api/v1/resourcequotas": [],
        f"{dask}/daskclusters": [_in(name, cluster(name)) for name in names],
        f"{dask}/daskworkergroups": [
            _in(name, group(f"{name}-default", WORKERS, cluster=name)) for name in names
        ],
    }


def _in(namespace: str, document: dict[str, Any], number: int = 0) -> dict[str, Any]:
    metadata = {**document["metadata"], "namespace": namespace}
    metadata["uid"] = f"{document.get('kind')} {namespace} {number}"
    return {**document, "metadata": metadata}


@dataclass
class Served:
    """An API server that is up."""

    kubeconfig: dict[str, Any]
    requests: list[str] = field(default_factory=list)
    """Paths of the lists that were asked for, in turn."""


@contextmanager
def served(lists: Lists) -> Iterator[Served]:
    """Answer with the lists, as many objects at a time as are asked for."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            url = urlsplit(self.path)
            content = json.dumps(self._answer(url.path, parse_qs(url.query))).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def _answer(self, path: str, query: dict[str, list[str]]) -> dict[str, Any]:
            if path not in lists:
                return VERSION
            asked.append(path)
            first, most = int(query.get("continue", ["0"])[0]), int(query["limit"][0])
            is_more = first + most < len(lists[path])
            return {
                "items": lists[path][first : first + most],
                "metadata": {"continue": str(first + most)} if is_more else {},
            }

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield Served(kubeconfig_to(f"http://127.0.0.1:{server.server_port}"), asked)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
