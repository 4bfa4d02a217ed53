"""Rehearsal tests: whom a running control plane lets in, and to what."""

import json
import socket
import ssl

import httpx
import pytest

from rehearsal.control_plane import ControlPlane
from tests.rehearsal.control_plane.conftest import ApiClient

pytestmark = pytest.mark.rehearsal


def test_the_clients_token_is_a_cluster_administrator(api: ApiClient) -> None:
    review = {"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"}
    who = api.create("/apis/authentication.k8s.io/v1/selfsubjectreviews", review)
    assert who["status"]["userInfo"]["username"] == "platform-engineer"
    assert api.get("/api/v1/secrets").is_success


def test_nobody_gets_in_without_a_token_or_with_a_wrong_one(control_plane: ControlPlane) -> None:
    with ApiClient(control_plane, token=None) as nobody:
        assert nobody.get("/api/v1/secrets").status_code == httpx.codes.FORBIDDEN
    with ApiClient(control_plane, token="guess") as guesser:  # noqa: S106
        assert guesser.get("/api/v1/secrets").status_code == httpx.codes.UNAUTHORIZED


def test_a_service_account_may_do_what_its_role_says_and_no_more(
    control_plane: ControlPlane, api: ApiClient
) -> None:
    account = "/api/v1/namespaces/default/serviceaccounts/default"
    request = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}}
    token = api.create(f"{account}/token", request)["status"]["token"]
    with ApiClient(control_plane, token=token) as pod:
        refusal = pod.get("/api/v1/namespaces/default/pods")
    assert refusal.status_code == httpx.codes.FORBIDDEN
    assert "system:serviceaccount:default:default" in refusal.json()["message"]


def answers(connection: socket.socket, context: ssl.SSLContext) -> bool:
    """Ask for etcd's version; TLS 1.3 tells of a refused certificate only at the first read."""
    try:
        with context.wrap_socket(connection, server_hostname="127.0.0.1") as secure:
            secure.sendall(b"GET /version HTTP/1.1\r\nHost: etcd\r\n\r\n")
            return secure.recv(1) != b""
    except (ssl.SSLError, ConnectionError):
        return False


@pytest.mark.parametrize(
    ("certificate", "allowed"), [(None, False), ("kwok", False), ("etcd-client", True)]
)
def test_etcd_is_closed_to_everybody_but_the_api_server(
    control_plane: ControlPlane, certificate: str | None, *, allowed: bool
) -> None:
    directory = control_plane.admin_kubeconfig.parent
    port = json.loads((directory / "ports.json").read_text("utf-8"))["etcd_client"]
    context = ssl.create_default_context(cafile=str(directory / "pki" / "etcd-ca.crt"))
    if certificate:
        pki = directory / "pki"
        context.load_cert_chain(pki / f"{certificate}.crt", pki / f"{certificate}.key")
    with socket.create_connection(("127.0.0.1", port)) as plain:
        assert answers(plain, context) is allowed
