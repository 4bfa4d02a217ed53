"""Unit: what a connection leaves behind, shares with others, and says when it fails."""

import asyncio
import json
import ssl
import tempfile
import threading
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from daskfleet.access.errors import words_of
from daskfleet.access.kubernetes_api import connected, get
from rehearsal.control_plane.certificates import CertificateAuthority, KeyPair
from tests.daskfleet.access.played_api import VERSION, kubeconfig_to, played_api


@contextmanager
def server_for_certificates(authority: CertificateAuthority, server: KeyPair) -> Iterator[str]:
    """Answer whoever has a certificate, but the first request as if the login were over."""
    is_first = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            content = json.dumps(VERSION | {"message": "log in again"}).encode()
            self.send_response(200 if is_first.is_set() else 401)
            is_first.set()
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    context = ssl.create_default_context(
        ssl.Purpose.CLIENT_AUTH, cafile=str(authority.files.certificate)
    )
    context.verify_mode = ssl.CERT_REQUIRED
    context.load_cert_chain(server.certificate, server.key)
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        listening.socket = context.wrap_socket(listening.socket, server_side=True)
        thread = threading.Thread(target=listening.serve_forever)
        thread.start()
        try:
            yield f"https://127.0.0.1:{listening.server_port}"
        finally:
            listening.shutdown()
            thread.join()


def test_a_plugins_key_goes_with_the_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority = CertificateAuthority.load_or_create(tmp_path, name="ca")
    grace = authority.issue(tmp_path, name="grace")
    status = {
        "clientCertificateData": grace.certificate.read_text(),
        "clientKeyData": grace.key.read_text(),
    }
    (tmp_path / "credential").write_text(json.dumps({"status": status}))
    plugin = {"command": "cat", "args": [str(tmp_path / "credential")], "apiVersion": "v1"}
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))

    def with_the_key() -> list[Path]:
        files = (file for file in temporary.rglob("*") if file.is_file())
        return [file for file in files if file.read_bytes() == grace.key.read_bytes()]

    async def connect() -> None:
        async with connected(kubeconfig, request_timeout_s=5) as api:
            assert "message" in await get(api, "v1", "namespaces")
            assert len(with_the_key()) == 1  # of two logins
            (folder,) = temporary.iterdir()
            assert folder.stat().st_mode & 0o777 == 0o700

    server = authority.issue(tmp_path, name="server", hosts=["127.0.0.1"])
    with server_for_certificates(authority, server) as address:
        kubeconfig = kubeconfig_to(address)
        trusted = b64encode(authority.files.certificate.read_bytes()).decode()
        kubeconfig["clusters"][0]["cluster"]["certificate-authority-data"] = trusted
        kubeconfig["users"][0]["user"] = {"exec": plugin}
        asyncio.run(connect())

    assert list(temporary.iterdir()) == []
    assert tempfile.gettempdir() == str(temporary)


def test_a_connection_that_ends_leaves_another_by_the_same_kubeconfig_as_it_is(
    tmp_path: Path,
) -> None:
    async def both(kubeconfig: dict[str, Any]) -> None:
        async with connected(kubeconfig, request_timeout_s=5) as api:
            session = api._session  # noqa: SLF001 - there is no other way to see it
            async with connected(kubeconfig, request_timeout_s=5) as other:
                assert other is not api
            assert session is not None
            assert not session.is_closed

    with played_api({}, tmp_path):
        asyncio.run(both(json.loads((tmp_path / "kubeconfig").read_text())))


def test_an_error_without_words_is_told_by_its_type() -> None:
    assert words_of(httpx.ReadError("")) == "ReadError"
    assert words_of(httpx.ReadError("reset by peer")) == "reset by peer"
