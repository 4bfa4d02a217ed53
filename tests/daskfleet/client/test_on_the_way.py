"""Integration: what a laptop's network does to a connection, with a real scheduler behind it."""

import asyncio
import json
import operator
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from distributed import CancelledError, Client, LocalCluster, Security

import daskfleet
from daskfleet.access import pod_port
from daskfleet.client import held_tunnel
from daskfleet.errors import AccessError
from daskfleet.team.connect import local_port
from daskfleet.team.connect.errors import ConnectError
from tests.daskfleet.client.played_fleet import played, pod, tunnels
from tests.daskfleet.client.relay import ConnectProxy, Relay
from tests.daskfleet.team.connect.api_server import Namespace

SERVER_NAME = "gke.example.com"
"""No machine has it: who gets there has gone by the proxy."""


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """None but those of the test."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def own_tls(directory: Path) -> ssl.SSLContext:
    """A server's certificate that nobody has signed."""
    made = Security.temporary()
    for name, text in (("crt", made.tls_scheduler_cert), ("key", made.tls_scheduler_key)):
        (directory / f"server.{name}").write_text(text, encoding="utf-8")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(directory / "server.crt", directory / "server.key")
    return context


def point_at(directory: Path, server: str, **cluster: object) -> None:
    """Let the member's kubeconfig lead elsewhere."""
    file = directory / "kubeconfig"
    document = json.loads(file.read_text("utf-8"))
    document["clusters"][0]["cluster"] = {"server": server, **cluster}
    file.write_text(json.dumps(document), encoding="utf-8")


@contextmanager
def behind_a_proxy(cluster: LocalCluster, directory: Path) -> Iterator[ConnectProxy]:
    """A fleet whose API server speaks TLS, and a proxy that knows the way."""
    there = Namespace(pod("one", scheduler=cluster.scheduler_address))
    with played(there, directory) as kubeconfig:
        api = urlsplit(kubeconfig["clusters"][0]["cluster"]["server"]).port or 0
        with (
            Relay(api, tls=own_tls(directory)).running() as tls,
            ConnectProxy(tls.port).running() as proxy,
        ):
            point_at(directory, f"https://{SERVER_NAME}", **{"insecure-skip-tls-verify": True})
            assert isinstance(proxy, ConnectProxy)
            yield proxy


@pytest.fixture
def proxy(
    cluster: LocalCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[ConnectProxy]:
    """The only way to the fleet."""
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "kubeconfig"))
    with behind_a_proxy(cluster, tmp_path) as running:
        yield running


@pytest.mark.parametrize("named_by", ["HTTPS_PROXY", "proxy-url"])
def test_a_proxy_is_taken_for_requests_and_for_the_tunnel(
    named_by: str, proxy: ConnectProxy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"http://127.0.0.1:{proxy.port}"
    if named_by == "HTTPS_PROXY":
        monkeypatch.setenv(named_by, url)
    else:
        skip = {"insecure-skip-tls-verify": True}
        point_at(tmp_path, f"https://{SERVER_NAME}", **skip, **{"proxy-url": url})
    with daskfleet.connect("fraud") as client:
        assert client.submit(operator.add, 40, 2, pure=False).result(timeout=30) == 42
    assert set(proxy.connects) == {f"CONNECT {SERVER_NAME}:443 HTTP/1.1"}


def test_a_proxy_that_refuses_is_named_with_who_names_it(
    proxy: ConnectProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    proxy.refusal = "407 Proxy Authentication Required"
    monkeypatch.setenv("HTTPS_PROXY", f"http://me:hunter2@127.0.0.1:{proxy.port}")
    with pytest.raises(AccessError) as error:
        daskfleet.connect("fraud")
    said = str(error.value)
    assert (
        f"cannot be reached by the proxy http://127.0.0.1:{proxy.port}, which HTTPS_PROXY" in said
    )
    assert "407 Proxy Authentication Required" in said
    assert f"add {SERVER_NAME} to NO_PROXY" in said
    assert "hunter2" not in said
    assert tunnels() == []


def test_a_proxy_that_is_away_is_named(
    proxy: ConnectProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    del proxy
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{port}")
    with pytest.raises(AccessError, match="Check that the proxy runs"):
        daskfleet.connect("fraud")


def test_without_an_ipv4_loopback_both_ways_say_so(
    namespace: Namespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    del namespace
    none_of_ours = "192.0.2.1"  # RFC 5737
    monkeypatch.setattr(held_tunnel, "LOOPBACK", none_of_ours)
    with pytest.raises(AccessError, match="Check that its loopback interface has IPv4"):
        daskfleet.connect("fraud")
    monkeypatch.setattr(local_port, "LOOPBACK", none_of_ours)
    with pytest.raises(ConnectError, match="Check that its loopback interface has IPv4"):
        local_port.listening(None, usual=8786, option="--port")


def test_connections_that_died_without_a_word_are_made_anew(
    cluster: LocalCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a night in a closed laptop: nobody has told this end."""
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "kubeconfig"))
    monkeypatch.setattr(pod_port, "PING_EVERY_S", 1)
    monkeypatch.setattr(held_tunnel, "REQUEST_TIMEOUT_S", 2)
    there = Namespace(pod("one", scheduler=cluster.scheduler_address))
    with played(there, tmp_path) as kubeconfig:
        api = urlsplit(kubeconfig["clusters"][0]["cluster"]["server"]).port or 0
        with Relay(api).running() as relay:
            point_at(tmp_path, f"http://127.0.0.1:{relay.port}")
            with daskfleet.connect("fraud") as client:
                assert client.submit(operator.add, 1, 2, pure=False).result(timeout=30) == 3
                relay.lose_all()
                before = client.scheduler_comm
                assert before is not None
                client.sync(_connected_anew, client, before)
                assert answered(client) == 42


def answered(client: Client) -> int:
    """Submit until a task is answered: Dask cancels one that meets a further lost connection."""
    deadline = time.monotonic() + 60
    while True:
        try:
            answer: int = client.submit(operator.add, 40, 2, pure=False).result(timeout=30)
        except CancelledError:
            if time.monotonic() > deadline:
                raise
        else:
            return answer


PLUGIN = """#!/bin/sh
if [ -e {expired} ]; then echo 'Reauthentication failed' >&2; exit 1; fi
echo '{{"apiVersion": "client.authentication.k8s.io/v1beta1", "kind": "ExecCredential",
"status": {{"token": "t"}}}}'
"""


def test_a_login_that_expires_meanwhile_is_told_and_waited_for(
    namespace: Namespace, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    expired, plugin = tmp_path / "expired", tmp_path / "gke-gcloud-auth-plugin"
    plugin.write_text(PLUGIN.format(expired=expired), encoding="utf-8")
    plugin.chmod(0o755)
    document = json.loads((tmp_path / "kubeconfig").read_text("utf-8"))
    version = "client.authentication.k8s.io/v1beta1"
    document["users"][0]["user"] = {"exec": {"apiVersion": version, "command": str(plugin)}}
    (tmp_path / "kubeconfig").write_text(json.dumps(document), encoding="utf-8")

    with daskfleet.connect("fraud") as client:
        expired.touch()
        namespace.expired_tokens = 1000
        client.sync(_told, caplog, "waiting for your login plugin (Process exited with")
        assert "`gcloud auth login`" in caplog.text
        expired.unlink()
        namespace.expired_tokens = 0
        client.sync(_told, caplog, "forwarding to pod one")
        assert client.submit(operator.add, 40, 2, pure=False).result(timeout=30) == 42


async def _told(log: pytest.LogCaptureFixture, words: str) -> None:
    async with asyncio.timeout(30):
        while words not in log.text:  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0.1)


async def _connected_anew(client: Client, before: object) -> None:
    async with asyncio.timeout(30):
        while client.scheduler_comm in {None, before} or client.status != "running":  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0.1)
