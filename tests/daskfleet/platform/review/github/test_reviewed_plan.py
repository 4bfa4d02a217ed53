"""Only the plan that was reviewed is applied, and only to the tree that it was made of."""

import pytest

from daskfleet.platform.review.github.connection import Connection
from daskfleet.platform.review.github.errors import GitHubError
from daskfleet.platform.review.github.reviewed_plan import artifact_name, reviewed_plan
from daskfleet.platform.review.github.statuses import context_of
from tests.daskfleet.platform.review.github.server import GitHub
from tests.daskfleet.platform.review.github.state import HEAD, OURSELVES, Json

MERGED = "d" * 40
TREE = "e" * 40
PLAN = b'{"resourcePlans": {}}'
SUCCESS = {"context": context_of("prod"), "state": "success", "description": "fine"}


@pytest.fixture
def pull(github: GitHub) -> Json:
    """A pull request that was previewed, reviewed and merged."""
    pull = github.state.add_pull(7, state="closed")
    pull.update({"merge_commit_sha": MERGED, "merged_at": "2026-11-21T18:00:00Z"})
    github.state.add_artifact(
        github.state.add_run(), artifact_name("prod", TREE), {"plan.json": PLAN}
    )
    github.state.add_status(HEAD, SUCCESS)
    return pull


def plan_of(connection: Connection, stack: str = "prod", tree: str = TREE) -> bytes:
    return reviewed_plan(connection, stack=stack, commit=MERGED, tree=tree).content


def test_the_plan_of_the_merged_tree_is_found(connection: Connection, pull: Json) -> None:
    found = reviewed_plan(connection, stack="prod", commit=MERGED, tree=TREE)
    assert (found.content, found.pull_request) == (PLAN, pull["html_url"])


def test_the_newest_preview_counts(github: GitHub, connection: Connection, pull: Json) -> None:
    assert pull
    newest = github.state.add_run()
    github.state.add_artifact(newest, artifact_name("prod", TREE), {"plan.json": b"newer"})
    github.state.add_run()
    assert plan_of(connection) == b"newer"


@pytest.mark.usefixtures("pull")
@pytest.mark.parametrize(("stack", "tree"), [("prod", "f" * 40)])
def test_a_tree_that_nobody_previewed_is_refused(
    connection: Connection, stack: str, tree: str
) -> None:
    with pytest.raises(GitHubError, match=r"No plan of the merged tree.*Nothing was changed"):
        plan_of(connection, stack, tree)


@pytest.mark.usefixtures("pull")
def test_a_stack_that_was_not_reviewed_is_refused(connection: Connection) -> None:
    with pytest.raises(GitHubError, match=r"daskfleet/review \(dev\)` of #7 is not a success"):
        plan_of(connection, "dev")


@pytest.mark.usefixtures("pull")
@pytest.mark.parametrize("state", ["failure", "error", "pending"])
def test_a_gate_that_stops_is_not_passed_by_merging(
    github: GitHub, connection: Connection, state: str
) -> None:
    github.state.add_status(HEAD, SUCCESS | {"state": state, "description": "needs a label"})
    with pytest.raises(GitHubError, match=rf"not a success \({state}: needs a label\)"):
        plan_of(connection)


@pytest.mark.usefixtures("pull")
def test_a_status_that_somebody_else_set_is_nothing(github: GitHub, connection: Connection) -> None:
    github.state.statuses.clear()
    github.state.add_status(HEAD, SUCCESS, "mallory")
    with pytest.raises(GitHubError, match=r"is not a success \(none\)"):
        plan_of(connection)


@pytest.mark.usefixtures("pull")
def test_an_expired_plan_is_refused(github: GitHub, connection: Connection) -> None:
    for artifacts in github.state.artifacts.values():
        artifacts[0]["expired"] = True
    with pytest.raises(GitHubError, match="No plan of the merged tree"):
        plan_of(connection)


def test_a_plan_from_another_run_than_that_heads_is_not_taken(
    github: GitHub, connection: Connection, pull: Json
) -> None:
    pull["head"]["sha"] = "b" * 40
    github.state.add_status("b" * 40, SUCCESS, OURSELVES)
    with pytest.raises(GitHubError, match="No plan of the merged tree"):
        plan_of(connection)


def test_a_commit_without_a_pull_request_is_refused(connection: Connection) -> None:
    with pytest.raises(GitHubError, match="was not merged from a pull request"):
        plan_of(connection)


def test_a_pull_request_that_only_contains_the_commit_is_not_its_merge(
    github: GitHub, connection: Connection, pull: Json
) -> None:
    assert github.state.pulls == [pull]
    pull["merged_at"] = None
    with pytest.raises(GitHubError, match="was not merged from a pull request"):
        plan_of(connection)
