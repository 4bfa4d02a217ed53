"""Attack: a scheduler whose answers are code, or never end, and an engineer who runs `verify`."""

import asyncio
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from daskfleet.team.verify.collect import child
from daskfleet.team.verify.collect.pages import MOST_METRICS_BYTES, collect_metrics, collect_pages
from daskfleet.team.verify.collect.probing import Client, probe
from daskfleet.team.verify.facts import DaskFacts, TeamFacts
from daskfleet.team.verify.model import Outcome
from tests.daskfleet.team.verify.samples import checked, pods
from tests.project import PROJECT_DIR
from tests.warm_python.fixtures import REAL_PYTHON

SECRETS = {
    "KUBECONFIG": "/home/engineer/planted-admin-kubeconfig",
    "PULUMI_CONFIG_PASSPHRASE": "planted-passphrase",
    "PULUMI_ACCESS_TOKEN": "planted-pulumi-token",
    "GOOGLE_APPLICATION_CREDENTIALS": "/home/engineer/planted-key.json",
    "CLOUDSDK_AUTH_ACCESS_TOKEN": "planted-google-token",
    "GITHUB_TOKEN": "planted-github-token",
    "SSH_AUTH_SOCK": "/run/planted-agent",
    "AN_OPEN_DESCRIPTOR": "planted-number",
}
A_PLAIN_CLIENT = """
import sys, distributed
try:
    distributed.Client(sys.argv[1], timeout=5).close()
except Exception:
    pass
"""
NEEDED_BY_PYTHON = {"PATH", "HOME", "TMPDIR", "PYTHONPATH", "PYTHONUSERBASE"}


@contextmanager
def hostile_scheduler(code: str) -> Iterator[str]:
    """Run it, and return its address."""
    command = [sys.executable, "-m", "tests.attacks.hostile_scheduler", code]
    with subprocess.Popen(command, cwd=PROJECT_DIR, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        try:
            yield running.stdout.readline().strip()
        finally:
            running.kill()


def looted_by(file: Path) -> str:
    """Code that writes down what the process has which unpickles it."""
    return (
        "import json, os\n"
        "fds = sorted(int(fd) for fd in os.listdir('/proc/self/fd'))\n"
        "names = {}\n"
        "for fd in fds:\n"
        "    try: names[fd] = os.readlink(f'/proc/self/fd/{fd}')\n"
        "    except OSError: pass\n"
        "loot = {'environment': dict(os.environ), 'cwd': os.getcwd(), 'fds': names,\n"
        "        'here': os.listdir('.'), 'home': os.listdir(os.path.expanduser('~'))}\n"
        f"open({str(file)!r}, 'w').write(json.dumps(loot))\n"
    )


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)


def asked(address: str) -> DaskFacts:
    client = Client(python=Path(REAL_PYTHON))  # a warm one starts by a shell, which adds PWD
    return asyncio.run(probe(client, address, [], progress=lambda _: None))


def the_answer_could_not_be_read(dask: DaskFacts) -> str:
    """Assert that the check of the connection failed for this reason, and return it."""
    facts = TeamFacts(pods=pods(2), service_leads_to="fraud", dask=dask)
    checks = checked(facts, tls_client_secret=None)
    assert checks["connection"].outcome is Outcome.FAILED
    said = checks["connection"].seen
    assert said.startswith("the scheduler's answer could not be read: ")
    assert said.isprintable()
    return said


@pytest.mark.usefixtures("planted")
def test_code_in_an_answer_finds_no_credential(tmp_path: Path) -> None:
    loot_file, kubeconfig = tmp_path / "loot", tmp_path / "kubeconfig"
    kubeconfig.touch()
    with hostile_scheduler(looted_by(loot_file)) as address, kubeconfig.open("rb") as opened:
        os.set_inheritable(opened.fileno(), True)
        # The attack works on whoever decodes the answer with all that an engineer has.
        subprocess.run(
            [sys.executable, "-c", A_PLAIN_CLIENT, address], close_fds=False, check=True, timeout=60
        )
        plain = loot_file.read_text()
        loot_file.unlink()
        asked(address)
        loot = json.loads(loot_file.read_text())

    assert all(secret in plain for secret in SECRETS.values())
    assert str(kubeconfig) in plain
    assert not any(secret in str(loot) for secret in SECRETS.values())
    assert str(kubeconfig) not in str(loot)
    assert set(loot["environment"]) - set(child.PASSED_ON) <= NEEDED_BY_PYTHON | {"LC_CTYPE"}
    assert loot["environment"]["HOME"] == loot["cwd"] != os.environ["HOME"]
    assert loot["here"] == loot["home"] == []
    assert not Path(loot["cwd"]).exists()


@pytest.mark.parametrize("stream", [1, 2])
def test_a_flood_from_the_child_is_a_failed_check(
    stream: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(child, "TIMEOUT_S", 60)
    # The probe's answer goes to a copy of standard output, and libraries' words elsewhere.
    code = (
        "import os\n"
        "pipes = [fd for fd in range(20) if fd != 2 and os.path.exists(f'/proc/self/fd/{fd}')\n"
        "         and os.readlink(f'/proc/self/fd/{fd}').startswith('pipe:')\n"
        "         and os.readlink(f'/proc/self/fd/{fd}') != os.readlink('/proc/self/fd/2')]\n"
        f"flooded = pipes if {stream} == 1 else [2]\n"
        "while True:\n"
        "    for fd in flooded:\n"
        "        try: os.write(fd, b'[' * 65536)\n"
        "        except OSError: pass\n"
    )
    with hostile_scheduler(code) as address:
        said = the_answer_could_not_be_read(asked(address))
    assert "it is longer than" in said


FORGED = {
    "no document": b"hello",
    "brackets": b"[" * 1_000_000,
    "another type": b'{"facts": {"client": 5}}',
    "a terminal's command": b'{"facts": {"client": {"python": "\\u001b[2J", "versions": {}}, '
    b'"client_python": ""}}',
    "an unknown key": b'{"facts": null, "refused": null, "run": "me"}',
    "nothing in it": b"{}",
    "a refusal after the fact": b'{"refused": "install this"}',
}


@pytest.mark.parametrize("forged", FORGED.values(), ids=FORGED)
def test_a_forged_answer_is_a_failed_check(forged: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    async def answered(*_: object, **__: object) -> child.Answer:
        return child.Answer(document=forged, has_connected=True)

    monkeypatch.setattr("daskfleet.team.verify.collect.probing.asked", answered)
    the_answer_could_not_be_read(asked("tcp://127.0.0.1:1"))


def test_code_that_ends_the_child_or_never_ends_is_a_failed_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with hostile_scheduler("import os; os._exit(0)") as address:
        assert "ended with status 0" in the_answer_could_not_be_read(asked(address))
    monkeypatch.setattr(child, "TIMEOUT_S", 6)
    with hostile_scheduler("import time; time.sleep(3600)") as address:
        assert "did not end within 6 s" in the_answer_could_not_be_read(asked(address))


@contextmanager
def server(head: bytes, repeated: bytes) -> Iterator[int]:
    """Answer each connection with a beginning and then, for ever, with the same."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                threading.Thread(target=answer, args=(connection,), daemon=True).start()

        def answer(connection: socket.socket) -> None:
            with connection:
                try:
                    connection.sendall(head)
                    while True:
                        connection.sendall(repeated)
                except OSError:
                    pass

        threading.Thread(target=serve, daemon=True).start()
        yield listener.getsockname()[1]


def test_a_message_longer_than_any_memory_is_a_failed_check() -> None:
    # distributed's TCP: how many bytes follow, of which the first are numbers and lengths.
    length = (2**45).to_bytes(8, "little")
    with server(length, b"\0" * 65536) as port:
        dask = asked(f"tcp://127.0.0.1:{port}")
    facts = TeamFacts(pods=pods(2), service_leads_to="fraud", dask=dask)
    assert checked(facts, tls_client_secret=None)["connection"].outcome is Outcome.FAILED


def test_pages_without_an_end_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    with server(b"HTTP/1.1 200 OK\r\n\r\n", b"dask_x 1\n" * 8192) as port:
        base = f"http://127.0.0.1:{port}"
        pages = asyncio.run(collect_pages(base))
        metrics = asyncio.run(collect_metrics(base))
    assert [len(page.text) for page in pages] == [300, 300]
    assert metrics.error == f"the page is longer than {MOST_METRICS_BYTES // 2**20} MiB"

    monkeypatch.setattr("daskfleet.team.verify.collect.pages.TIMEOUT_S", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        metrics = asyncio.run(collect_metrics(f"http://127.0.0.1:{silent.getsockname()[1]}"))
    assert metrics.status is None
    assert metrics.error
