"""Unit tests: requests to the API server and the errors that come back, without a server."""

import json

import httpx
import pytest

from rehearsal.providers.kubernetes.api import (
    ApiError,
    KubernetesApi,
    UnknownKindError,
    UnreachableError,
)
from rehearsal.providers.kubernetes.kinds import Kind

CONFIG_MAP = Kind("", "v1", "ConfigMap")
NODE = Kind("", "v1", "Node")
DISCOVERY = {
    "resources": [
        {"name": "configmaps", "kind": "ConfigMap", "namespaced": True},
        {"name": "nodes", "kind": "Node", "namespaced": False},
        {"name": "nodes/status", "kind": "Node", "namespaced": False},
    ]
}


class Server:
    """Answers discovery, and one prepared answer to everything else; remembers requests."""

    def __init__(self, status: int = 200, answer: object = None, **headers: str) -> None:
        self.requests: list[httpx.Request] = []
        self._answer = (status, answer or {}, headers)

    def answer(self, request: httpx.Request) -> httpx.Response:
        """Answer one request."""
        if request.url.path == "/api/v1":
            return httpx.Response(200, json=DISCOVERY)
        self.requests.append(request)
        status, answer, headers = self._answer
        return httpx.Response(status, json=answer, headers=headers)

    @property
    def api(self) -> KubernetesApi:
        """A client of this server."""
        transport = httpx.MockTransport(self.answer)
        return KubernetesApi(httpx.Client(transport=transport, base_url="http://127.0.0.1"))


def test_paths_follow_the_scope_of_the_kind() -> None:
    server = Server()
    api = server.api
    api.get(CONFIG_MAP, "team", "a")
    api.get(CONFIG_MAP, None, "a")
    api.get(NODE, None, "n")
    api.select(CONFIG_MAP, None)
    assert [request.url.path for request in server.requests] == [
        "/api/v1/namespaces/team/configmaps/a",
        "/api/v1/namespaces/default/configmaps/a",
        "/api/v1/nodes/n",
        "/api/v1/configmaps",
    ]


def test_a_dry_run_says_so_and_apply_names_its_manager() -> None:
    server = Server()
    manifest = {"metadata": {"name": "a", "namespace": "team"}}
    server.api.apply(CONFIG_MAP, manifest, manager="m", force=False, dry_run=True)
    (request,) = server.requests
    assert dict(request.url.params) == {"fieldManager": "m", "dryRun": "All", "force": "false"}
    assert request.headers["Content-Type"] == "application/apply-patch+yaml"
    assert json.loads(request.content) == manifest


def test_the_servers_own_text_is_the_error() -> None:
    server = Server(409, {"message": 'configmaps "a" already exists', "reason": "AlreadyExists"})
    with pytest.raises(ApiError, match='configmaps "a" already exists') as caught:
        server.api.create(CONFIG_MAP, {"metadata": {"name": "a"}}, manager="m", dry_run=False)
    assert caught.value.reason == "AlreadyExists"


def test_a_missing_object_is_none() -> None:
    assert Server(404, {"reason": "NotFound"}).api.get(CONFIG_MAP, "team", "a") is None


def test_an_unknown_kind_is_asked_for_again() -> None:
    api = Server(404).api
    kind = Kind("example.com", "v1", "Thing")
    assert api.get(kind, "team", "a") is None
    with pytest.raises(UnknownKindError, match=r"example\.com/v1 Thing"):
        api.resource(kind)


def test_a_warning_of_the_server_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    server = Server(warning='299 - "unknown field \\"spec.limit\\""')
    server.api.create(CONFIG_MAP, {"metadata": {"name": "a"}}, manager="m", dry_run=False)
    assert "unknown field" in capsys.readouterr().err


def test_no_answer_is_unreachable() -> None:
    def refuse(_request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("connection refused")

    client = httpx.Client(transport=httpx.MockTransport(refuse), base_url="http://127.0.0.1:1")
    with pytest.raises(UnreachableError, match="connection refused"):
        KubernetesApi(client).version()
