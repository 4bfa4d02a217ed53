"""A review on its pull request: comment, status and labels, whatever the run left."""

from collections.abc import Callable
from pathlib import Path

import pytest

import daskfleet.platform.review.github.verbs
from daskfleet.catalog.changes import ChangeClass
from daskfleet.platform.review.document import to_json
from daskfleet.platform.review.errors import ReviewError
from daskfleet.platform.review.github.connection import Connection
from daskfleet.platform.review.github.errors import GitHubError
from daskfleet.platform.review.github.publication import Found, make_review, publish
from daskfleet.platform.review.github.publish import Target
from daskfleet.platform.review.github.pull_requests import read_pull_request
from daskfleet.platform.review.markdown.shown_commit import commit_of
from daskfleet.platform.review.markdown.top import marker
from daskfleet.platform.review.model import Review
from tests.daskfleet.platform.review.github.engine import pool_replaced, write_found
from tests.daskfleet.platform.review.github.server import GitHub
from tests.daskfleet.platform.review.github.state import HEAD, Fault, Json

ALLOWS = "daskfleet-allow:replaces-pool"
RUN = "https://github.com/acme/fleet/actions/runs/1"
NEXT = "b" * 40


@pytest.fixture
def pull(github: GitHub) -> Json:
    return github.state.add_pull(7)


Publish = Callable[..., str]


@pytest.fixture
def published(
    github: GitHub, connected: Callable[[], Connection], pull: Json, tmp_path: Path
) -> Publish:
    """Do what one run of the workflow does, and return the state that it sets."""

    def published(*events: Json, commit: str = HEAD, stack: str = "prod") -> str:
        pull["head"]["sha"] = commit
        folder = write_found(tmp_path / "found", *events, stack=stack)
        connection = connected()
        target = Target(
            connection, read_pull_request(connection, 7), commit, "daskfleet", stack, RUN
        )
        publish(target, found_in(folder))
        return str(github.state.statuses[0]["state"])

    return published


def found_in(folder: Path) -> Found:
    return Found(folder / "events.jsonl", folder / "stack.yaml", folder / "rehearsed.json")


def test_a_change_that_does_nothing_is_said_and_passes(github: GitHub, published: Publish) -> None:
    assert published() == "success"
    (body,) = github.state.bodies()
    assert body.startswith(marker("daskfleet", "prod"))
    assert "No change" in body
    (status,) = github.state.statuses
    assert (status["sha"], status["target_url"]) == (HEAD, RUN)


def test_a_change_that_destroys_stops_with_the_reason(github: GitHub, published: Publish) -> None:
    assert published(pool_replaced()) == "failure"
    assert github.state.statuses[0]["description"] == "Somebody must allow: replaces-pool"
    assert ALLOWS in github.state.bodies()[0]


def test_a_label_that_is_set_after_the_review_lets_it_through(
    github: GitHub, published: Publish
) -> None:
    published(pool_replaced())
    github.state.labels = [ALLOWS]
    assert published(pool_replaced()) == "success"
    assert github.state.labels == [ALLOWS]
    assert len(github.state.bodies()) == 1


def test_a_label_that_was_there_before_the_review_is_taken_back(
    github: GitHub, published: Publish
) -> None:
    github.state.labels = ["bug", ALLOWS]
    assert published(pool_replaced()) == "failure"
    assert github.state.labels == ["bug"]
    assert "Removed, because they were set before" in github.state.bodies()[0]


def test_a_label_that_was_given_for_another_commit_is_taken_back(
    github: GitHub, published: Publish
) -> None:
    published(pool_replaced())
    github.state.labels = [ALLOWS]
    published(pool_replaced())
    assert published(pool_replaced(), commit=NEXT) == "failure"
    assert github.state.labels == []
    assert commit_of(github.state.bodies()[0]) == NEXT


def test_pushing_an_earlier_commit_again_does_not_bring_its_label_back(
    github: GitHub, published: Publish
) -> None:
    published(pool_replaced())
    published(commit=NEXT)
    github.state.labels = [ALLOWS]
    assert published(pool_replaced()) == "failure"


def test_a_label_for_one_stack_does_not_allow_what_was_not_seen_of_another(
    github: GitHub, published: Publish
) -> None:
    published(pool_replaced())
    github.state.labels = [ALLOWS]
    assert published(pool_replaced("dev"), stack="dev") == "failure"


def test_a_label_that_means_nothing_is_named(github: GitHub, published: Publish) -> None:
    published()
    github.state.labels = ["daskfleet-allow:everything"]
    published()
    (body,) = github.state.bodies()
    assert "Allows nothing: " in body
    assert "everything" in body


def test_a_forged_comment_of_somebody_else_makes_no_label_count(
    github: GitHub, published: Publish
) -> None:
    published(commit=NEXT)
    forged = github.state.bodies()[0].replace(NEXT, HEAD)
    github.state.add_comment(forged, "mallory")
    github.state.labels = [ALLOWS]
    assert published(pool_replaced()) == "failure"


def test_a_review_that_gets_better_replaces_the_bad_one(github: GitHub, published: Publish) -> None:
    published(pool_replaced())
    assert published(commit=NEXT) == "success"
    (body,) = github.state.bodies()
    assert "No change" in body
    assert "replaces-pool" not in body


@pytest.mark.parametrize("content", ["", "{", '{"resourcePreEvent": 7}\n', "error: no stack\n"])
def test_a_run_that_left_nonsense_is_an_error_and_no_success(
    github: GitHub, connection: Connection, pull: Json, tmp_path: Path, content: str
) -> None:
    folder = write_found(tmp_path / "found")
    (folder / "events.jsonl").write_text(content)
    publish(target(connection), found_in(folder))
    assert pull
    assert github.state.statuses[0]["state"] == "error"
    assert "Failed" in github.state.bodies()[0]


@pytest.mark.usefixtures("pull")
def test_a_run_that_left_nothing_is_an_error_and_no_success(
    github: GitHub, connection: Connection, tmp_path: Path
) -> None:
    publish(target(connection), found_in(tmp_path))
    assert github.state.statuses[0]["state"] == "error"
    assert "Failed" in github.state.bodies()[0]


@pytest.mark.usefixtures("pull")
def test_events_of_another_stack_are_refused(
    github: GitHub, connection: Connection, tmp_path: Path
) -> None:
    folder = write_found(tmp_path / "found", pool_replaced("dev"), stack="dev")
    with pytest.raises(ReviewError, match=r"of daskfleet/dev, not of daskfleet/prod"):
        publish(target(connection), found_in(folder))
    assert github.state.statuses[0]["state"] == "error"
    assert github.state.bodies() == []


@pytest.mark.usefixtures("pull")
def test_a_comment_that_cannot_be_posted_leaves_no_earlier_success(
    github: GitHub, connection: Connection, tmp_path: Path
) -> None:
    github.state.faults.append(Fault("POST", "/comments$", status=403, message="no"))
    with pytest.raises(GitHubError, match="Commenting on #7"):
        publish(target(connection), found_in(write_found(tmp_path / "found")))
    assert [status["state"] for status in github.state.statuses] == ["error"]


@pytest.mark.usefixtures("pull")
def test_the_summary_of_the_step_has_it_too(
    connection: Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    publish(target(connection), found_in(write_found(tmp_path / "found")))
    assert "No change" in (tmp_path / "summary.md").read_text()


def test_a_forks_own_word_never_opens_the_gate(
    github: GitHub, connection: Connection, tmp_path: Path
) -> None:
    github.state.add_pull(7, owner="mallory")
    folder = write_found(tmp_path / "found")
    (folder / "rehearsed.json").write_text(to_json(a_review(connection, folder)))
    (folder / "events.jsonl").unlink()
    publish(target(connection), found_in(folder))
    (status,) = github.state.statuses
    assert status["state"] == "pending"
    assert "Rehearsed only" in status["description"]
    assert "from a fork" in github.state.bodies()[0]


def test_a_forks_own_word_may_close_the_gate(
    github: GitHub, connection: Connection, tmp_path: Path
) -> None:
    github.state.add_pull(7, owner="mallory")
    publish(target(connection), found_in(write_found(tmp_path / "found", pool_replaced())))
    assert github.state.statuses[0]["state"] == "failure"


@pytest.mark.usefixtures("pull")
def test_a_document_names_no_other_pull_request_stack_or_commit(
    connection: Connection, tmp_path: Path
) -> None:
    folder = write_found(tmp_path / "found", pool_replaced("dev"), stack="dev")
    at = target(connection)
    forged = make_review(
        Target(connection, at.pull, NEXT, "daskfleet", "dev", RUN), found_in(folder), frozenset()
    )
    (folder / "rehearsed.json").write_text(to_json(forged))
    (folder / "events.jsonl").unlink()
    made = make_review(at, found_in(folder), frozenset())
    assert (made.project, made.stack, made.commit) == ("daskfleet", "prod", HEAD)


@pytest.mark.usefixtures("pull")
def test_a_document_that_is_none_is_said(
    github: GitHub, connection: Connection, tmp_path: Path
) -> None:
    folder = write_found(tmp_path / "found")
    (folder / "events.jsonl").unlink()
    (folder / "rehearsed.json").write_text('{"version": 1}')
    with pytest.raises(ReviewError, match="What the rehearsal left: "):
        publish(target(connection), found_in(folder))
    assert github.state.statuses[0]["state"] == "error"


@pytest.mark.usefixtures("pull")
def test_a_preview_stands_without_a_rehearsal_that_cannot_be_read(
    github: GitHub, connection: Connection, tmp_path: Path
) -> None:
    folder = write_found(tmp_path / "found")
    (folder / "rehearsed.json").write_text('{"version": 1}')
    publish(target(connection), found_in(folder))
    assert github.state.statuses[0]["state"] == "success"
    assert "What the rehearsal left: " in github.state.bodies()[0]


@pytest.mark.usefixtures("pull")
def test_allowed_classes_reach_the_gate(connection: Connection, tmp_path: Path) -> None:
    found = found_in(write_found(tmp_path / "found", pool_replaced()))
    allowed = frozenset({ChangeClass.REPLACES_POOL})
    assert make_review(target(connection), found, allowed).gate.passes
    assert not make_review(target(connection), found, frozenset()).gate.passes


@pytest.mark.usefixtures("pull")
def test_a_preview_that_failed_does_not_pass(connection: Connection, tmp_path: Path) -> None:
    found = found_in(write_found(tmp_path / "found", result="failed"))
    assert not make_review(target(connection), found, frozenset()).gate.passes


def test_the_project_is_that_of_our_own_checkout() -> None:
    assert daskfleet.platform.review.github.verbs.project() == "daskfleet"


def target(connection: Connection) -> Target:
    return Target(connection, read_pull_request(connection, 7), HEAD, "daskfleet", "prod", RUN)


def a_review(connection: Connection, folder: Path) -> Review:
    return make_review(target(connection), found_in(folder), frozenset())
