"""Archives that a pull request's own code made: read within bounds, and never obeyed."""

import io
import random
import zipfile

import pytest

import daskfleet.platform.review.github.artifacts
from daskfleet.platform.review.github.artifacts import find_artifact, read_files, unpack
from daskfleet.platform.review.github.connection import Connection
from daskfleet.platform.review.github.errors import GitHubError
from tests.daskfleet.platform.review.github.server import GitHub
from tests.daskfleet.platform.review.github.state import Fault, Json

EVENTS = "events.jsonl"


def read(connection: Connection, run: Json, *names: str) -> dict[str, bytes]:
    found = find_artifact(
        connection, connection.repository.get_workflow_run(run["id"]), "review-prod"
    )
    assert found is not None
    return read_files(connection, found, names)


def test_the_named_files_are_read_and_no_others(github: GitHub, connection: Connection) -> None:
    run = github.state.add_run()
    files = {EVENTS: b"{}\n", "../../evil": b"x", "/etc/passwd": b"x", "run.sh": b"x"}
    github.state.add_artifact(run, "review-prod", files)
    assert read(connection, run, EVENTS, "stack.yaml") == {EVENTS: b"{}\n"}


def test_the_store_that_serves_the_archive_never_sees_the_token(
    github: GitHub, connection: Connection
) -> None:
    run = github.state.add_run()
    github.state.add_artifact(run, "review-prod", {EVENTS: b"{}"})
    read(connection, run, EVENTS)
    assert github.state.blob_authorizations == [None]


def test_the_newest_of_several_attempts_counts_and_an_expired_one_does_not(
    github: GitHub, connection: Connection
) -> None:
    run = github.state.add_run()
    github.state.add_artifact(run, "review-prod", {EVENTS: b"first"})
    github.state.add_artifact(run, "review-prod", {EVENTS: b"second"})
    github.state.add_artifact(run, "review-prod", {EVENTS: b"third"})["expired"] = True
    github.state.add_artifact(run, "review-dev", {EVENTS: b"another stack"})
    assert read(connection, run, EVENTS) == {EVENTS: b"second"}


def test_a_download_that_fails_for_a_moment_is_tried_again(
    github: GitHub, connection: Connection
) -> None:
    run = github.state.add_run()
    github.state.add_artifact(run, "review-prod", {EVENTS: b"{}"})
    github.state.faults.append(Fault("GET", "/zip$", status=503))
    assert read(connection, run, EVENTS) == {EVENTS: b"{}"}


def test_a_download_that_is_refused_says_so(github: GitHub, connection: Connection) -> None:
    run = github.state.add_run()
    github.state.add_artifact(run, "review-prod", {EVENTS: b"{}"})
    github.state.faults.append(Fault("GET", "/zip$", status=410, message="Artifact has expired"))
    with pytest.raises(GitHubError, match=r"Downloading the artifact review-prod: .*410"):
        read(connection, run, EVENTS)


def test_a_file_that_unpacks_beyond_the_limit_is_not_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(daskfleet.platform.review.github.artifacts, "LARGEST_BYTES", 1_000_000)
    with pytest.raises(GitHubError, match=r"review-prod/events\.jsonl is larger than"):
        unpack(archive_of(b"\0" * 1_000_001), [EVENTS], "review-prod")
    assert len(unpack(archive_of(b"\0" * 1_000_000), [EVENTS], "review-prod")[EVENTS]) == 1_000_000


def test_an_archive_beyond_the_limit_is_not_downloaded_to_its_end(
    github: GitHub, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(daskfleet.platform.review.github.artifacts, "LARGEST_BYTES", 100)
    run = github.state.add_run()
    github.state.add_artifact(run, "review-prod", {EVENTS: bytes(range(256)) * 8})
    with pytest.raises(GitHubError, match="is larger than"):
        read(connection, run, EVENTS)


@pytest.mark.parametrize("damage", [b"", b"no archive", b"PK\x03\x04 cut"])
def test_what_is_no_archive_is_an_error_and_no_traceback(damage: bytes) -> None:
    with pytest.raises(GitHubError, match="cannot be unpacked"):
        unpack(damage, [EVENTS], "review-prod")


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_an_archive_with_a_damaged_file_is_an_error_and_no_traceback(compression: int) -> None:
    whole = bytearray(archive_of(random.Random(1).randbytes(500), compression))  # noqa: S311
    whole[50:200] = b"\xff" * 150
    with pytest.raises(GitHubError, match="cannot be unpacked"):
        unpack(bytes(whole), [EVENTS], "review-prod")


def archive_of(content: bytes, compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", compression) as entries:
        entries.writestr(EVENTS, content)
    return made.getvalue()
