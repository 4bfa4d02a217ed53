"""Which pull request a run was for is GitHub's word, and what the run left is data."""

import re
from pathlib import Path

import pytest

from daskfleet.platform.review.github.connection import Connection
from daskfleet.platform.review.github.errors import GitHubError
from daskfleet.platform.review.github.pull_requests import (
    comes_from_fork,
    parse_reference,
    read_pull_request,
)
from daskfleet.platform.review.github.received import EVENTS, REHEARSED, STACK_FILE, receive
from tests.daskfleet.platform.review.github.server import GitHub
from tests.daskfleet.platform.review.github.state import HEAD, Json

FILES = {EVENTS: b"{}\n", STACK_FILE: b"config: {}\n", "pull-request.txt": b"666"}


@pytest.fixture
def run(github: GitHub) -> Json:
    """A run with an artifact, and the pull request that it was for."""
    github.state.add_pull(7)
    run = github.state.add_run()
    github.state.add_artifact(run, "review-prod", FILES)
    return run


def test_what_a_run_left_is_written_under_our_own_names(
    connection: Connection, run: Json, tmp_path: Path
) -> None:
    received = receive(connection, run["id"], "prod", tmp_path / "in")
    assert received is not None
    assert (received.pull.number, received.commit) == (7, HEAD)
    assert {path.name for path in (tmp_path / "in").iterdir()} == {EVENTS, STACK_FILE}


def test_a_run_that_left_nothing_still_has_its_pull_request(
    connection: Connection, run: Json, tmp_path: Path
) -> None:
    received = receive(connection, run["id"], "dev", tmp_path)
    assert received is not None
    assert (received.pull.number, len(received.files)) == (7, 0)


def test_a_fork_is_found_by_its_branch_and_told_from_our_own(
    github: GitHub, connection: Connection, tmp_path: Path
) -> None:
    github.state.add_pull(7)
    github.state.add_pull(8, sha="b" * 40, owner="mallory")
    run = github.state.add_run(sha="b" * 40, owner="mallory")
    github.state.add_artifact(run, "review-prod", {REHEARSED: b"{}"})
    received = receive(connection, run["id"], "prod", tmp_path)
    assert received is not None
    assert (received.pull.number, comes_from_fork(received.pull)) == (8, True)
    assert not comes_from_fork(read_pull_request(connection, 7))


@pytest.mark.parametrize(
    "change",
    [
        {"head_sha": "c" * 40},
        {"head_branch": "another"},
        {"head_repository": {"id": 1, "owner": {"login": "acme"}}},
    ],
    ids=["pushed meanwhile", "no such branch", "a repository of the same name"],
)
def test_a_run_whose_pull_request_has_moved_on_is_for_none(
    connection: Connection, run: Json, tmp_path: Path, change: Json
) -> None:
    run.update(change)
    assert receive(connection, run["id"], "prod", tmp_path) is None


def test_a_closed_pull_request_gets_nothing(
    github: GitHub, connection: Connection, run: Json, tmp_path: Path
) -> None:
    github.state.pulls[0]["state"] = "closed"
    assert receive(connection, run["id"], "prod", tmp_path) is None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"path": ".github/workflows/other.yml"}, ".github/workflows/other.yml on pull_request"),
        ({"event": "push"}, ".github/workflows/preview.yml on push"),
    ],
)
def test_only_a_preview_of_a_pull_request_is_received(
    connection: Connection, run: Json, tmp_path: Path, change: Json, said: str
) -> None:
    run.update(change)
    wanted = f"is of {said}, not of .github/workflows/preview.yml on pull_request"
    with pytest.raises(GitHubError, match=re.escape(wanted)):
        receive(connection, run["id"], "prod", tmp_path)


@pytest.mark.parametrize("text", ["7", "acme/fleet", "acme/fleet#0", "acme/fleet#7 ", "a/b/c#1"])
def test_a_reference_is_refused_where_it_is_none(text: str) -> None:
    with pytest.raises(GitHubError, match="write it as OWNER/NAME#NUMBER"):
        parse_reference(text)


def test_a_reference_has_repository_and_number() -> None:
    reference = parse_reference("acme/fleet.prod#12")
    assert (reference.repository, reference.number) == ("acme/fleet.prod", 12)
