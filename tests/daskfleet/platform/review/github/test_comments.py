"""One comment of ours, whatever else is on the pull request and whatever GitHub answers."""

from collections.abc import Callable

import pytest
from github.Issue import Issue

from daskfleet.platform.review.github.comments import LONGEST_BODY, Outcome, upsert_comment
from daskfleet.platform.review.github.connection import Connection
from daskfleet.platform.review.github.errors import GitHubError
from tests.daskfleet.platform.review.github.conftest import Waits
from tests.daskfleet.platform.review.github.server import GitHub
from tests.daskfleet.platform.review.github.state import OURSELVES, Fault

MARKER = "<!-- daskfleet:review acme/prod -->"
OLD = f"{MARKER}\nold"
NEW = f"{MARKER}\nnew"


@pytest.fixture
def issue(connection: Connection) -> Issue:
    return connection.repository.get_issue(7)


def upsert(connection: Connection, issue: Issue, body: str = NEW) -> Outcome:
    return upsert_comment(connection, issue, body)


def test_the_first_comment_is_created(github: GitHub, connection: Connection, issue: Issue) -> None:
    outcome = upsert(connection, issue)
    assert outcome.action == "created"
    assert github.state.bodies() == [NEW]
    assert outcome.url == github.state.comments[0]["html_url"]


def test_the_comment_is_updated_where_it_is(
    github: GitHub, connection: Connection, issue: Issue
) -> None:
    comment = github.state.add_comment(OLD)
    assert upsert(connection, issue).action == "updated"
    assert (github.state.comments[0]["id"], github.state.bodies()) == (comment["id"], [NEW])


def test_the_same_text_is_not_written_again(
    github: GitHub, connection: Connection, issue: Issue
) -> None:
    github.state.add_comment(NEW.replace("\n", "\r\n"))
    assert upsert(connection, issue).action == "unchanged"
    assert not [request for request in github.state.requests if request.startswith("PATCH")]


@pytest.mark.parametrize("login", ["mallory", "other-tool[bot]", "github-actions"])
def test_a_marker_that_somebody_else_pasted_is_left_alone(
    github: GitHub, connection: Connection, issue: Issue, login: str
) -> None:
    github.state.add_comment(OLD, login)
    assert upsert(connection, issue).action == "created"
    assert github.state.bodies(login) == [OLD]


def test_a_comment_of_a_deleted_account_is_nobodys(
    github: GitHub, connection: Connection, issue: Issue
) -> None:
    github.state.add_comment(OLD)["user"] = None
    assert upsert(connection, issue).action == "created"


def test_our_own_quotation_of_the_marker_is_left_alone(
    github: GitHub, connection: Connection, issue: Issue
) -> None:
    github.state.add_comment(f"as it said:\n{OLD}")
    assert upsert(connection, issue).action == "created"
    assert len(github.state.bodies()) == 2


def test_the_comment_of_another_stack_is_left_alone(
    github: GitHub, connection: Connection, issue: Issue
) -> None:
    other = "<!-- daskfleet:review acme/dev -->\ndev"
    github.state.add_comment(other)
    upsert(connection, issue)
    assert github.state.bodies() == [other, NEW]


def test_a_comment_on_the_third_page_is_found(
    github: GitHub, connection: Connection, issue: Issue
) -> None:
    for number in range(250):
        github.state.add_comment(f"talk {number}", "alice")
    ours = github.state.add_comment(OLD)
    assert upsert(connection, issue).action == "updated"
    assert ours["body"] == NEW
    assert len(github.state.comments) == 251


def test_duplicates_of_ours_go_and_the_oldest_stays(
    github: GitHub, connection: Connection, issue: Issue
) -> None:
    oldest = github.state.add_comment(OLD)
    github.state.add_comment(OLD)
    github.state.add_comment("thanks", "alice")
    github.state.add_comment(OLD)
    assert upsert(connection, issue).removed_duplicates == 2
    assert [c["body"] for c in github.state.comments] == [NEW, "thanks"]
    assert github.state.comments[0]["id"] == oldest["id"]


def test_a_comment_that_is_deleted_after_it_was_listed_is_made_anew(
    github: GitHub, connection: Connection, issue: Issue
) -> None:
    github.state.add_comment(OLD)

    def delete_it_first(method: str, _path: str) -> None:
        if method == "PATCH":
            github.state.comments.clear()

    github.state.before = delete_it_first
    assert upsert(connection, issue).action == "created"
    assert github.state.bodies() == [NEW]


def test_a_duplicate_that_somebody_else_deletes_is_no_error(
    github: GitHub, connection: Connection, issue: Issue
) -> None:
    github.state.add_comment(OLD)
    github.state.add_comment(OLD)

    def delete_it_first(method: str, _path: str) -> None:
        if method == "DELETE":
            del github.state.comments[1:]

    github.state.before = delete_it_first
    assert upsert(connection, issue).action == "updated"
    assert github.state.bodies() == [NEW]


@pytest.mark.parametrize(
    "fault",
    [
        Fault("POST", "/comments$", carried_out=True),
        Fault("POST", "/comments$", carried_out=True, cuts_connection=True),
        Fault("POST", "/comments$", status=500),
        Fault("POST", "/comments$", cuts_connection=True),
        Fault("GET", "/comments", status=503, times=2),
    ],
    ids=["done, then 502", "done, then cut", "not done, 500", "not done, cut", "503 twice"],
)
def test_an_uncertain_answer_leads_to_one_comment(
    github: GitHub, connection: Connection, issue: Issue, waits: Waits, fault: Fault
) -> None:
    github.state.faults.append(fault)
    upsert(connection, issue)
    assert github.state.bodies() == [NEW]
    assert waits.said, "somebody who watches the job must know what it waits for"


def test_a_server_that_stays_down_is_given_up_with_a_next_step(
    github: GitHub, connection: Connection, issue: Issue, waits: Waits
) -> None:
    github.state.faults.append(Fault("POST", "/comments$", status=500, times=99))
    with pytest.raises(GitHubError, match=r"Commenting on #7: GitHub answers 500, 6 times.*again"):
        upsert(connection, issue)
    assert waits.seconds == [2, 4, 8, 16, 32]
    assert github.state.bodies() == []


def test_a_job_that_may_not_comment_hears_which_permission_it_needs(
    github: GitHub, connection: Connection, issue: Issue, waits: Waits
) -> None:
    message = "Resource not accessible by integration"
    github.state.faults.append(Fault("POST", "/comments$", status=403, message=message))
    with pytest.raises(GitHubError, match=f"403, {message}.*`pull-requests: write`"):
        upsert(connection, issue)
    assert waits.seconds == []


def test_a_body_beyond_githubs_limit_is_not_sent(
    github: GitHub, connection: Connection, issue: Issue
) -> None:
    longest = MARKER + "\n" + "x" * (LONGEST_BODY - len(MARKER) - 1)
    assert upsert(connection, issue, longest).action == "created"
    sent = len(github.state.requests)
    with pytest.raises(GitHubError, match="65537 characters and GitHub takes 65536"):
        upsert(connection, issue, longest + "x")
    assert len(github.state.requests) == sent


def test_a_body_without_a_marker_is_refused_before_it_orphans_a_comment(
    connection: Connection, issue: Issue
) -> None:
    with pytest.raises(GitHubError, match="without a hidden marker"):
        upsert(connection, issue, "hello")


def test_one_run_after_the_other_leaves_one_comment(
    github: GitHub, connected: Callable[[], Connection]
) -> None:
    for number in range(3):
        connection = connected()
        upsert(connection, connection.repository.get_issue(7), f"{MARKER}\n{number}")
    assert github.state.bodies(OURSELVES) == [f"{MARKER}\n2"]
