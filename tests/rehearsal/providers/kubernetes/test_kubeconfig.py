"""Unit tests: reading a kubeconfig and refusing what the stand-in must not touch."""

import base64
from pathlib import Path
from typing import Any

import pytest
import yaml

from rehearsal.control_plane.certificates import CertificateAuthority
from rehearsal.providers.kubernetes.connection import connect
from rehearsal.providers.kubernetes.kubeconfig import http_client, parse_kubeconfig
from rehearsal.providers.kubernetes.settings import ProviderSettings
from rehearsal.providers.protocol import ProviderError


def document(server: str = "http://127.0.0.1:1", **user: Any) -> str:
    return yaml.safe_dump(
        {
            "clusters": [
                {"name": "a", "cluster": {"server": server}},
                {"name": "b", "cluster": {"server": "http://127.0.0.1:2"}},
            ],
            "users": [{"name": "u", "user": user}],
            "contexts": [
                {"name": "a", "context": {"cluster": "a", "user": "u"}},
                {"name": "b", "context": {"cluster": "b", "user": "u"}},
            ],
            "current-context": "a",
        }
    )


def test_context_and_cluster_arguments_choose_the_active_cluster() -> None:
    assert parse_kubeconfig(document()).active_cluster == {"server": "http://127.0.0.1:1"}
    other = {"server": "http://127.0.0.1:2"}
    assert parse_kubeconfig(document(), context="b").active_cluster == other
    assert parse_kubeconfig(document(), cluster="b").active_cluster == other


def test_a_token_is_never_in_a_representation() -> None:
    text = document(token="canary-1234")  # noqa: S106 - a canary
    settings = ProviderSettings(kubeconfig=text)
    assert "canary" not in f"{settings!r} {parse_kubeconfig(text)!r} {connect(settings)!r}"


def test_a_path_is_read(tmp_path: Path) -> None:
    path = tmp_path / "config"
    path.write_text(document())
    assert parse_kubeconfig(str(path)).context_name == "a"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("/no/such/file", "neither a kubeconfig's text nor the path"),
        ("a: [\nb", "is not YAML"),
        ("a: 1\nb: 2", "has no `clusters`"),
    ],
)
def test_text_that_is_no_kubeconfig_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(ProviderError, match=complaint):
        parse_kubeconfig(text)


def test_an_unknown_context_lists_the_known_ones() -> None:
    with pytest.raises(ProviderError, match=r"\['a', 'b'\]"):
        parse_kubeconfig(document(), context="c")


def test_a_cluster_elsewhere_is_never_touched() -> None:
    kubeconfig = parse_kubeconfig(document("https://34.1.2.3"))
    with pytest.raises(ProviderError, match="is not on this machine"):
        http_client(kubeconfig, timeout_s=1)


def test_an_authority_is_trusted_without_a_file_that_a_killed_plugin_would_leave(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (tmp_path / "pki").mkdir()
    CertificateAuthority.load_or_create(tmp_path / "pki", name="ca")
    authority = (tmp_path / "pki" / "ca.crt").read_bytes()
    kubeconfig = parse_kubeconfig(document(server="https://127.0.0.1:1"))
    assert kubeconfig.active_cluster is not None
    encoded = base64.b64encode(authority).decode()
    kubeconfig.active_cluster["certificate-authority-data"] = encoded
    http_client(kubeconfig, timeout_s=1).close()
    assert [file.name for file in tmp_path.iterdir()] == ["pki"]
    kubeconfig.active_cluster["certificate-authority-data"] = encoded[40:]
    with pytest.raises(ProviderError, match="certificate-authority-data"):
        http_client(kubeconfig, timeout_s=1)


def test_a_missing_credential_plugin_is_named() -> None:
    plugin = {"apiVersion": "client.authentication.k8s.io/v1beta1", "command": "no-such-plugin"}
    kubeconfig = parse_kubeconfig(document(exec=plugin))
    with pytest.raises(ProviderError, match="'no-such-plugin' is not on PATH"):
        http_client(kubeconfig, timeout_s=1)


def test_an_unreachable_cluster_is_said_when_it_is_needed() -> None:
    connection = connect(ProviderSettings(kubeconfig=document(), client_timeout_s=1))
    assert connection.reachable is None
    with pytest.raises(ProviderError, match=r"unreachable.*127\.0\.0\.1:1 does not answer"):
        connection.require_reachable()
