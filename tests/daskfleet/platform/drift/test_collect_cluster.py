"""Reading the cluster, from a few lines of HTTP that answer as an API server."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from daskfleet.access.kubeconfig import Kubeconfig
from daskfleet.platform.drift.collect_cluster import read_cluster
from daskfleet.platform.drift.errors import DriftError
from daskfleet.platform.drift.snapshot import DASK_CLUSTER, DEPLOYMENT, NODE

NODES = {"items": [{"metadata": {"name": "node-a"}}]}
ANSWERS: dict[str, Any] = {
    "/version/": {"gitVersion": "v1.36.3", "major": "1", "minor": "36"},
    "/api/v1/": {"resources": [{"name": "nodes", "kind": "Node"}]},
    "/api/v1/nodes": NODES,
    "/apis/apps/v1/": {
        "resources": [
            {"name": "deployments", "kind": "Deployment"},
            {"name": "deployments/scale", "kind": "Scale"},
        ]
    },
}
"""An API server without Dask's definitions, and one that lets nobody list Deployments."""


class Handler(BaseHTTPRequestHandler):
    """Answers what is known, 403 for Deployments, else 404."""

    def do_GET(self) -> None:
        """Answer; the name is the library's."""
        answer = ANSWERS.get(self.path)
        status = 200 if answer is not None else 403 if "deployments" in self.path else 404
        body = json.dumps(answer or {"message": f"no {self.path} for you"}).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def kubeconfig() -> Iterator[Kubeconfig]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield kubeconfig_of(server.server_port)
    server.shutdown()
    server.server_close()


def kubeconfig_of(port: int, **user: Any) -> Kubeconfig:
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "x", "cluster": {"server": f"http://127.0.0.1:{port}"}}],
        "users": [{"name": "x", "user": user or {"token": "none"}}],
        "contexts": [{"name": "x", "context": {"cluster": "x", "user": "x"}}],
        "current-context": "x",
    }


def test_kinds_are_listed_and_those_that_are_not_served_are_empty(kubeconfig: Kubeconfig) -> None:
    said: list[str] = []
    snapshot = read_cluster(kubeconfig, [NODE, DASK_CLUSTER], progress=said.append)
    assert [node["metadata"]["name"] for node in snapshot.of(NODE)] == ["node-a"]
    assert snapshot.of(DASK_CLUSTER) == ()
    assert said == ["1 nodes"]


def test_what_may_not_be_read_is_an_error_and_not_an_empty_list(kubeconfig: Kubeconfig) -> None:
    with pytest.raises(DriftError, match="deployments for you"):
        read_cluster(kubeconfig, [DEPLOYMENT], progress=print)


def test_a_server_that_is_not_there_is_named(unused_port: int) -> None:
    with pytest.raises(DriftError, match=f"127.0.0.1:{unused_port}"):
        read_cluster(kubeconfig_of(unused_port), [NODE], progress=print)


@pytest.mark.parametrize("command", ["false", "no-such-plugin"])
def test_a_login_that_fails_is_explained(kubeconfig: Kubeconfig, command: str) -> None:
    plugin = {"apiVersion": "client.authentication.k8s.io/v1beta1", "command": command}
    port = int(kubeconfig["clusters"][0]["cluster"]["server"].rpartition(":")[2])
    with pytest.raises(DriftError, match="gke-gcloud-auth-plugin"):
        read_cluster(kubeconfig_of(port, exec=plugin), [NODE], progress=print)


@pytest.fixture
def unused_port() -> int:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.server_close()
    return server.server_port
