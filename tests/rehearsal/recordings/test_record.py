"""Unit tests: `rehearse record` reads only, tells nobody who or where, and trusts no answer.

Google is played by the emulator, or by a server that answers what it likes. No network.
"""

import contextlib
import json
import re
import stat
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner, Result

import daskfleet.cli
from bench.fidelity import Share, compared
from bench.replay import replay
from daskfleet.google_cloud.access import NoAccessError
from rehearsal.emulator import Emulator, discovery
from rehearsal.recordings.model import Recording
from rehearsal.recordings.redact import redacted, redacted_refusal
from tests.rehearsal.emulator.running import emulated_in_thread

TOKEN = "ya29.a-token-of-the-caller"  # noqa: S105 - opens nothing
PARENT = "/container/v1beta1/projects/acme-secret/locations/us-central1-c"
SECRETS = (
    "acme-secret",
    "merger",
    "customer",
    "ann@",
    "203.0.113",
    "10.77",
    "BEGIN CERTIFICATE",
    TOKEN,
)
CLUSTER = {
    "name": "merger-2027",
    "resourceLabels": {"customer": "customer-9"},
    "masterAuthorizedNetworksConfig": {
        "enabled": True,
        "cidrBlocks": [{"cidrBlock": "203.0.113.0/24", "displayName": "ann@customer.example"}],
    },
    "nodePools": [
        {
            "name": "merger-pool",
            "initialNodeCount": 1,
            "config": {
                "machineType": "n1-standard-4",
                "labels": {"customer": "customer-9"},
                "tags": ["customer-tag"],
                "serviceAccount": "default",
            },
        }
    ],
}


@pytest.fixture
def google(tmp_path: Path) -> Iterator[Emulator]:
    with emulated_in_thread(tmp_path / "google") as emulator:
        answer = httpx.post(f"{emulator.base_url}{PARENT}/clusters", json={"cluster": CLUSTER})
        assert answer.status_code == 200, answer.text
        yield emulator


@pytest.fixture
def record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.setenv("GOOGLE_OAUTH_ACCESS_TOKEN", TOKEN)

    def run(base_url: str, *options: str, answer: str | None = None) -> Result:
        monkeypatch.setenv("GOOGLE_CONTAINER_CUSTOM_ENDPOINT", f"{base_url}/container/v1beta1/")
        asked = ["--project", "acme-secret", "--zone", "us-central1-c"]
        asked += ["--output", str(tmp_path / "recording.jsonl")]
        return CliRunner().invoke(
            daskfleet.cli.app, ["rehearse", "record", *asked, *options], input=answer
        )

    return run


def test_it_reads_only_and_its_file_is_the_owners_alone(
    google: Emulator, record: Callable[..., Result], tmp_path: Path
) -> None:
    before = len(google.log.read())
    result = record(google.base_url, "--yes")
    assert result.exit_code == 0, result.output
    asked = google.log.read()[before:]
    assert [(each.method, each.mutating, each.status) for each in asked] == [
        ("GET", False, 200)
    ] * 4
    file = tmp_path / "recording.jsonl"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    for exchange in Recording.read(file).exchanges:
        assert f"{exchange.path}: 200, {len(exchange.answer)} fields" in result.output


def test_nothing_in_it_says_who_or_where(
    google: Emulator, record: Callable[..., Result], tmp_path: Path
) -> None:
    result = record(google.base_url, "--yes")
    text = (tmp_path / "recording.jsonl").read_text()
    for secret in SECRETS:
        assert secret not in text
    for secret in SECRETS[1:]:
        assert secret not in result.output
    assert '"n1-standard-4"' in text
    assert '"RUNNING"' in text


def test_what_is_recorded_of_the_emulator_is_what_the_emulator_answers(
    google: Emulator, record: Callable[..., Result], tmp_path: Path
) -> None:
    record(google.base_url, "--yes")
    recording = Recording.read(tmp_path / "recording.jsonl")
    result = compared([(recording, replay(recording))])
    assert result.total().requests == Share(agree=4, of=4)
    for difference in result.differences:
        # What was redacted cannot be made again.
        assert re.search(r"labels|Labels|tags|cidrBlocks", difference.where), difference


@pytest.mark.parametrize("answer", ["n\n", ""])
def test_without_a_yes_nothing_is_asked_of_google(
    google: Emulator, record: Callable[..., Result], tmp_path: Path, answer: str
) -> None:
    before = len(google.log.read())
    result = record(google.base_url, answer=answer)
    assert result.exit_code != 0
    assert len(google.log.read()) == before
    assert not (tmp_path / "recording.jsonl").exists()


def test_a_yes_is_enough(google: Emulator, record: Callable[..., Result]) -> None:
    assert record(google.base_url, answer="y\n").exit_code == 0


@pytest.mark.parametrize("missing", ["--project", "--zone"])
def test_project_and_zone_have_to_be_named(missing: str) -> None:
    named = {"--project": "acme-secret", "--zone": "us-central1-c"}
    del named[missing]
    options = [word for pair in named.items() for word in pair]
    result = CliRunner().invoke(daskfleet.cli.app, ["rehearse", "record", *options, "--yes"])
    assert result.exit_code == 2
    assert missing in result.output


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--project", "../../v1/projects/other"], "is no project's ID"),
        (["--zone", "-"], "is no zone or region"),
        (["--zone", "us-central1-c/clusters/x"], "is no zone or region"),
    ],
)
def test_what_is_no_name_is_refused_before_anything_is_asked(
    google: Emulator, record: Callable[..., Result], options: list[str], says: str
) -> None:
    before = len(google.log.read())
    result = record(google.base_url, "--yes", *options)
    assert result.exit_code == 1
    assert says in result.output
    assert len(google.log.read()) == before


def test_a_file_that_is_there_stays(
    google: Emulator, record: Callable[..., Result], tmp_path: Path
) -> None:
    (tmp_path / "recording.jsonl").write_text("mine")
    assert "exists. Name another" in record(google.base_url, "--yes").output
    assert (tmp_path / "recording.jsonl").read_text() == "mine"


def test_a_token_is_sent_to_no_host_without_encryption(record: Callable[..., Result]) -> None:
    result = record("http://proxy.example", "--yes")
    assert result.exit_code == 1
    assert "a token is sent by https" in result.output


@pytest.mark.parametrize("token", [f"{TOKEN}\n", f"{TOKEN}\xe9"])
def test_a_token_that_no_request_can_carry_is_not_told(
    record: Callable[..., Result], monkeypatch: pytest.MonkeyPatch, token: str
) -> None:
    monkeypatch.setenv("GOOGLE_OAUTH_ACCESS_TOKEN", token)
    with answering(b"{}") as (url, asked):
        result = record(url, "--yes")
    assert (result.exit_code, asked) == (1, [])
    assert isinstance(result.exception, SystemExit)
    assert TOKEN not in result.output
    assert "the token has a character" in result.output


def test_an_endpoint_that_is_no_url_is_an_error_in_words(record: Callable[..., Result]) -> None:
    result = record("http://[::1", "--yes")
    assert isinstance(result.exception, SystemExit)
    assert "GOOGLE_CONTAINER_CUSTOM_ENDPOINT is no URL" in result.output


def test_what_a_login_says_moves_no_cursor(
    record: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(_: object) -> None:
        raise NoAccessError("denied \x1b[2J")

    monkeypatch.setattr("rehearsal.recordings.command.get_access", refused)
    result = record("http://127.0.0.1:9", "--yes")
    assert result.exit_code == 1
    assert "\x1b" not in result.output


@contextlib.contextmanager
def answering(body: bytes, *, status: int = 200, **headers: str) -> Iterator[tuple[str, list[str]]]:
    """Answer every request alike; which paths were asked is noted."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            with contextlib.suppress(ConnectionError):
                self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
            del format, args

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def listing(name: object) -> bytes:
    return json.dumps({"clusters": [{"name": name}]}).encode()


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        (b"<html>proxy</html>", 200, "no JSON that can be read"),
        (b"[" * 100_000, 200, "no JSON that can be read"),
        (b"[1]", 200, "no JSON object"),
        (b" " * (17 * 1024**2), 200, "larger than 16 MiB"),
        (listing("../../../v1/projects/other"), 200, "no name of Google's"),
        (listing("x\x1b[31m"), 200, "no name of Google's"),
        (listing({"a": 1}), 200, "no name of Google's"),
        (b'{"clusters": "none"}', 200, "There is no cluster"),
        (b'{"error": {"code": 403, "message": "denied \\u001b[2J"}}', 403, "container.viewer"),
        (b'{"error": 7}', 500, "GKE answered 500"),
        (b"", 302, "no JSON"),
    ],
)
def test_a_hostile_answer_is_an_error_in_words_and_leaves_no_file(
    record: Callable[..., Result], tmp_path: Path, body: bytes, status: int, says: str
) -> None:
    with answering(body, status=status, Location="http://127.0.0.1:9/") as (url, asked):
        result = record(url, "--yes")
    assert result.exit_code == 1
    assert isinstance(result.exception, SystemExit)
    assert says in " ".join(result.output.split())
    assert "\x1b[" not in result.output
    assert len(asked) == 1
    assert not (tmp_path / "recording.jsonl").exists()


HOSTILE: dict[str, Any] = {
    "name": "merger",
    "status": "customer-9",
    "currentNodeCount": "customer-9",
    "notDocumented": {"customer": "customer-9"},
    "endpoint": {"customer": "customer-9"},
    "autopilot": {"enabled": "customer-9"},
    "locations": [{"customer": "customer-9"}, ["customer-9"]],
    "resourceLabels": {"customer": {"customer": "customer-9"}, "goog-customer": "customer-9"},
    "nodePools": [
        {
            "config": {
                "machineType": "customer-9",
                "diskType": "pd-ssd ann@customer.example",
                "metadata": {"disable-legacy-endpoints": "customer-9"},
                "accelerators": [{"acceleratorCount": "123456789012"}],
            }
        },
        "customer-9",
    ],
}


def test_no_field_smuggles_a_text_out() -> None:
    fields, left_out = redacted(discovery.load("container", "v1beta1"), "Cluster", HOSTILE)
    text = json.dumps(fields)
    for secret in (*SECRETS, "123456789012"):
        assert secret not in text
    assert "disable-legacy-endpoints" in text
    assert left_out > 0


@pytest.mark.parametrize(
    ("status", "told"), [("PERMISSION_DENIED", "PERMISSION_DENIED"), ("MERGER", "<text>")]
)
def test_of_an_error_googles_own_words_are_told_alone(status: str, told: str) -> None:
    assert redacted_refusal({"error": {"status": status}}) == {"/error/status": told}
