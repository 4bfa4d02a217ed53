"""Fixtures: a connection to the session's control plane, and a namespace of the test's own."""

import base64
import json
from collections.abc import Iterator

import pytest

from rehearsal.control_plane import ControlPlane
from rehearsal.providers.kubernetes.api import KubernetesApi
from rehearsal.providers.kubernetes.connection import Connection, connect
from rehearsal.providers.kubernetes.kinds import Kind
from rehearsal.providers.kubernetes.settings import ProviderSettings
from rehearsal.toolchain import Binaries

NAMESPACE = Kind("", "v1", "Namespace")


@pytest.fixture(scope="session")
def kubeconfig(control_plane: ControlPlane) -> str:
    """A kubeconfig as the program builds it, with the token in place of the exec plugin."""
    cluster = {
        "server": f"https://{control_plane.endpoint}",
        "certificate-authority-data": _base64(control_plane.ca_certificate),
    }
    return json.dumps(
        {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "c", "cluster": cluster}],
            "users": [{"name": "u", "user": {"token": control_plane.client_token}}],
            "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
            "current-context": "c",
        }
    )


@pytest.fixture(scope="session")
def connection(kubeconfig: str) -> Connection:
    """A configured provider's connection."""
    return connect(ProviderSettings(kubeconfig=kubeconfig))


@pytest.fixture(scope="session")
def api(connection: Connection) -> KubernetesApi:
    """The API server behind the connection."""
    return connection.require_reachable()


@pytest.fixture
def namespace(api: KubernetesApi, request: pytest.FixtureRequest) -> Iterator[str]:
    """A fresh namespace, gone after the test."""
    name = request.node.name.replace("_", "-").replace("[", "-").replace("]", "")[:53].strip("-")
    manifest = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
    api.create(NAMESPACE, manifest, manager="tests", dry_run=False)
    yield name
    api.delete(NAMESPACE, None, name, propagation="Background")


@pytest.fixture
def helm_on_path(binaries: Binaries, monkeypatch: pytest.MonkeyPatch) -> None:
    """Helm of the toolchain is the one that is used."""
    monkeypatch.setenv("DASKFLEET_HELM", str(binaries.helm))


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()
