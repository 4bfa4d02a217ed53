"""End to end: a team whose client, scheduler and workers speak TLS; others are not let in."""

import base64
import json
import operator
import re
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from distributed import Client, Security, wait, worker_client

from tests.rehearsal.end_to_end.connect_command import Connected, connected
from tests.rehearsal.end_to_end.kubectl import kubectl
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal, team
from tests.rehearsal.end_to_end.shell import typed
from tests.rehearsal.end_to_end.waiting import until
from tests.rehearsal.providers.tls.authority import authority

pytestmark = pytest.mark.rehearsal

TEAM = "atmosphere"
PLAIN_TEAM = "biology"
MEMBER = ("--as", "alice@example.com")
REFUSED_AFTER_S = 3
"""What is not refused with a reason, Dask tries again until then."""

TLS_ALERT = b"\x15"
"""The type of a record (RFC 8446, 5.1)."""

PEM_HEADER = b"-----BEGIN EC PRIVATE KEY-----"
A_KEY = re.compile(rb"-----BEGIN [A-Z ]*PRIVATE KEY-----(\s|\\+n)*[A-Za-z0-9+/]{16}")
"""A key, and not a page of documentation that shows how one begins."""

NOT_SEARCHED = {"etcd", "pki", "volumes"}
"""Where keys have to be: the API server's database and its own, and the pods that mount Secrets."""


@pytest.fixture(scope="module")
def connection(
    showcase_stage: RunningRehearsal, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Connected]:
    """`daskfleet connect`, which fetches the team's certificate."""
    showcase_stage.ensure_as_declared()
    with connected(showcase_stage, TEAM, tmp_path_factory.mktemp("tls")) as held:
        yield held


@pytest.fixture
def client(connection: Connected) -> Iterator[Client]:
    """A client of the team's."""
    with Client(connection.address, security=security_of(connection), timeout=30) as ours:
        yield ours


def files_of(connection: Connected) -> dict[str, str]:
    """The paths in the connection file."""
    files: dict[str, str] = json.loads(connection.file.read_text("utf-8"))["tls"]
    return files


def security_of(connection: Connected, **changed: str) -> Security:
    """What the printed line says, or a part of it exchanged."""
    return Security(**{**files_of(connection), **changed}, require_encryption=True)


def test_the_printed_line_connects_and_every_part_speaks_tls(
    connection: Connected, client: Client
) -> None:
    said: dict[str, Any] = {}
    exec(connection.line, said)  # noqa: S102 - what a person would paste
    with said["client"] as pasted:
        assert pasted.submit(operator.add, 40, 2).result(timeout=30) == 42

    assert connection.address.startswith("tls://127.0.0.1:")
    assert client.scheduler_info()["address"].startswith("tls://")
    assert {address[:6] for address in client.scheduler_info()["workers"]} == {"tls://"}
    for path in files_of(connection).values():
        assert Path(path).stat().st_mode & 0o777 == 0o600


def test_a_task_that_is_a_client_itself_is_let_in(client: Client) -> None:
    def asks_for_more(number: int) -> int:  # by value: the workers do not have this file
        with worker_client() as inner:
            return int(inner.submit(operator.add, number, 2).result(timeout=30))

    assert client.submit(asks_for_more, 40, pure=False).result(timeout=30) == 42


def test_who_has_no_certificate_of_the_team_s_authority_is_refused(
    connection: Connected, client: Client, tmp_path: Path
) -> None:
    key, certificate = authority("Dask of team atmosphere").signed("client of team atmosphere")
    others = {"tls_client_key": tmp_path / "key", "tls_client_cert": tmp_path / "certificate"}
    for file, text in zip(others.values(), (key, certificate), strict=True):
        file.write_text(text, "utf-8")
    forged = {name: str(file) for name, file in others.items()}
    with pytest.raises(OSError, match="UNKNOWN_CA"):
        Client(connection.address, security=security_of(connection, **forged), timeout=10)

    # Who speaks plain TCP hears TLS' alert or nothing, and no scheduler's greeting.
    assert heard_without_tls(connection.address) in {b"", TLS_ALERT}
    assert client.submit(operator.add, 40, 2, pure=False).result(timeout=30) == 42


def heard_without_tls(address: str) -> bytes:
    """The first byte that a peer gets who does not know of TLS."""
    host, _, port = address.removeprefix("tls://").rpartition(":")
    with socket.create_connection((host, int(port)), timeout=3) as plain:
        try:
            plain.sendall(bytes(64))
            return plain.recv(1)
        except (ConnectionResetError, TimeoutError):
            return b""


def test_verify_is_let_in_and_says_that_who_shows_nothing_is_not(
    showcase: RunningRehearsal,
) -> None:
    done = typed(showcase, sys.executable, "-m", "daskfleet", "verify", "--json")
    teams = {
        each["team"]: {check["name"]: check for check in each["checks"]}
        for each in json.loads(done.stdout)["teams"]
    }

    assert done.returncode == 0, done.stdout
    tls = teams[TEAM]["TLS"]
    assert tls["outcome"] == "ok"
    assert "a client without a certificate is refused (TLSV13_ALERT" in tls["seen"]
    assert "TLS" not in teams[PLAIN_TEAM]


def test_a_member_may_read_the_client_s_certificate_and_no_other(
    showcase: RunningRehearsal,
) -> None:
    secrets = kubectl(showcase, "--namespace", TEAM, "get", "secrets", "--output", "name").split()
    ours = {each for each in secrets if "dask-tls" in each}
    readable = {
        each
        for each in secrets
        if typed(showcase, "kubectl", "--namespace", TEAM, "get", each, *MEMBER).returncode == 0
    }

    assert len(ours) == 3
    assert readable & ours == {each for each in ours if "dask-tls-client" in each}
    assert readable - ours == {"secret/jupyter-token", "secret/jupyter-alice-token"}


def test_workers_come_and_are_retired_with_their_results(
    showcase: RunningRehearsal, client: Client
) -> None:
    results = client.map(operator.add, range(20), range(20))
    scattered = client.scatter(list(range(100)), hash=False)
    wait(results, timeout=30)
    for workers in (2, 1):
        settings = showcase.settings()
        team(settings, TEAM)["workers"] = workers
        showcase.up(settings)
        # Beside those of the first group, which changes, there is one of group memory.
        until(lambda count=workers + 1: len(client.scheduler_info()["workers"]) == count)  # type: ignore[misc]
        if workers == 2:
            client.rebalance()
        assert client.gather(results) == [2 * number for number in range(20)]
        assert client.gather(scattered) == list(range(100))

    scheduler = f"deployment/{TEAM}-scheduler"
    assert "Retire worker" in kubectl(showcase, "--namespace", TEAM, "logs", scheduler)


def test_private_keys_are_where_they_belong_and_nowhere_else(showcase: RunningRehearsal) -> None:
    exported = typed(showcase, "pulumi", "stack", "export").stdout
    shown = typed(showcase, "pulumi", "stack", "output", "--json").stdout
    everything = [
        file
        for file in showcase.workspace.directory.rglob("*")
        if file.is_file()
        and not NOT_SEARCHED & set(file.relative_to(showcase.workspace.directory).parts)
        and not {"plugins", "bin"} & set(file.relative_to(showcase.workspace.directory).parts)
    ]
    key = kubectl(
        showcase,
        *("--namespace", TEAM, "get", "secret", "dask-tls-client-1-365d"),
        *("--output", "jsonpath={.data.tls\\.key}"),
    )

    assert A_KEY.match(base64.b64decode(key))
    assert len(everything) > 10
    texts = {str(file): file.read_bytes() for file in everything}
    texts |= {"the state": exported.encode(), "the outputs": shown.encode()}
    assert [name for name, text in texts.items() if A_KEY.search(text)] == []
    encoded = base64.b64encode(PEM_HEADER)[:-2]  # as a Secret has it, up to whole letters
    assert key.encode().startswith(encoded)
    assert [name for name, text in texts.items() if encoded in text] == []


@pytest.mark.soak
def test_a_rotation_exchanges_all_certificates_under_the_same_address(
    showcase: RunningRehearsal, tmp_path: Path
) -> None:
    before = showcase.dask_pods(TEAM).keys()
    address = _service_address(showcase)
    settings = showcase.settings()
    team(settings, TEAM)["tls"] = {"rotation": 2}
    (tmp_path / "old").mkdir()
    (tmp_path / "new").mkdir()
    with connected(showcase, TEAM, tmp_path / "old") as old:
        showcase.up(settings)
        with pytest.raises(OSError, match="TLS certificate does not match"):
            Client(old.address, security=security_of(old), timeout=REFUSED_AFTER_S)
    with (
        connected(showcase, TEAM, tmp_path / "new") as new,
        Client(new.address, security=security_of(new), timeout=30) as client,
    ):
        assert client.submit(operator.add, 40, 2).result(timeout=30) == 42

    secrets = kubectl(showcase, "--namespace", TEAM, "get", "secrets", "--output", "name").split()
    assert {each for each in secrets if "dask-tls" in each} == {
        f"secret/dask-tls-{role}-2-365d" for role in ("scheduler", "worker", "client")
    }
    assert _service_address(showcase) == address
    assert before.isdisjoint(showcase.dask_pods(TEAM))


def _service_address(showcase: RunningRehearsal) -> str:
    where = ("--output", "jsonpath={.spec.clusterIP}")
    return kubectl(showcase, "--namespace", TEAM, "get", "service", "dask", *where)
