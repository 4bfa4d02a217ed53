"""Integration: a team with TLS is connected to with its certificate, of which no file is made."""

import base64
import json
import operator
import tempfile
from pathlib import Path

import pytest
from distributed import LocalCluster, Security

import daskfleet
from tests.daskfleet.client.played_fleet import played, pod, told
from tests.daskfleet.team.connect.api_server import Namespace


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def test_the_certificate_of_the_namespace_lets_in_and_stays_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "kubeconfig"))
    ours = Security.temporary()
    files = tmp_path / "tmp"
    files.mkdir()
    with LocalCluster(
        n_workers=1,
        threads_per_worker=1,
        processes=False,
        protocol="tls://",
        host="127.0.0.1",
        security=ours,
        dashboard_address=None,
    ) as cluster:
        namespace = Namespace(pod("one", scheduler=cluster.scheduler_address))
        namespace.notice = told(tls=True)
        secret = json.loads(namespace.notice)["teams"]["fraud"]["tls_client_secret"]
        namespace.secrets[secret] = {
            "ca.crt": encoded(ours.tls_ca_file),
            "tls.crt": encoded(ours.tls_client_cert),
            "tls.key": encoded(ours.tls_client_key),
        }
        monkeypatch.setattr(tempfile, "tempdir", str(files))
        with played(namespace, tmp_path), daskfleet.connect("fraud") as client:
            assert client.scheduler.address.startswith("tls://127.0.0.1:")
            assert client.submit(operator.add, 40, 2, pure=False).result(timeout=30) == 42
            kept = [each for each in files.rglob("*") if each.is_file()]
            assert [each for each in kept if "PRIVATE" in each.read_text("utf-8")] == []
