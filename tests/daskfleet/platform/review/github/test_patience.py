"""What is waited for, how long, and when no waiting helps."""

import pytest
import requests
from github import GithubException

from daskfleet.platform.review.github.connection import Connection, connect
from daskfleet.platform.review.github.errors import GitHubError
from daskfleet.platform.review.github.patience import Patience, Wait, wait_for
from tests.daskfleet.platform.review.github.conftest import Waits
from tests.daskfleet.platform.review.github.server import TOKEN, GitHub
from tests.daskfleet.platform.review.github.state import OURSELVES, REPOSITORY, Fault

NOW = 1_800_000_000.0
SECONDARY = "You have exceeded a secondary rate limit. Please wait a few minutes."


def answered(status: int, message: str = "", **headers: str) -> GithubException:
    """Make the error that the client raises."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return GithubException(status, {"message": message}, named)


@pytest.mark.parametrize(
    ("error", "seconds"),
    [
        (answered(403, SECONDARY, Retry_After="17"), 17),
        (answered(429, "", retry_after="5"), 5),
        (
            answered(
                403,
                "API rate limit exceeded for installation",
                x_ratelimit_remaining="0",
                x_ratelimit_reset="1800000300",
            ),
            301,
        ),
        (answered(403, "", x_ratelimit_remaining="0", x_ratelimit_reset="1799999999"), 1),
        (answered(403, SECONDARY, x_ratelimit_remaining="4000"), 240),
        (answered(429), 240),
        (answered(502), 8),
        (requests.ReadTimeout(), 8),
        (requests.ConnectionError(), 8),
    ],
)
def test_waits_as_long_as_github_asks_and_else_longer_each_time(
    error: Exception, seconds: float
) -> None:
    wait = wait_for(error, tries=2, now=NOW)
    assert wait is not None
    assert wait.seconds == seconds


@pytest.mark.parametrize(
    "error",
    [
        answered(403, "Resource not accessible by integration", x_ratelimit_remaining="4999"),
        answered(404, "Not Found"),
        answered(401, "Bad credentials"),
        answered(422, "Validation Failed"),
        answered(403, "Forbidden", retry_after="soon"),
        ValueError("a mistake of ours"),
    ],
)
def test_no_waiting_where_it_does_not_help(error: Exception) -> None:
    assert wait_for(error, tries=0, now=NOW) is None


def test_waiting_is_bounded_for_the_whole_command() -> None:
    waits = Waits()
    patience = Patience(waits.said.append, sleep=waits.sleep, now=lambda: NOW, budget_s=100)

    def fail() -> None:
        raise answered(403, SECONDARY)

    with pytest.raises(GitHubError, match=r"120 s, and of the 100 s .* 60 are gone"):
        patience.insist("Commenting", fail)
    assert waits.seconds == [60]
    assert waits.said == ["Commenting: GitHub's secondary rate limit; next try in 60 s"]


def test_a_mistake_of_ours_is_not_taken_for_githubs() -> None:
    def fail() -> None:
        raise KeyError("x")

    with pytest.raises(KeyError):
        Patience(lambda _: None).insist("Commenting", fail)


def test_the_rate_limit_is_sat_out(github: GitHub, connection: Connection, waits: Waits) -> None:
    limited = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(waits.time) + 42)}
    github.state.faults.append(
        Fault("POST", "graphql", 403, limited, "API rate limit exceeded for installation ID 1.")
    )
    assert connection.ourselves == OURSELVES
    assert waits.seconds == [43]


def test_the_token_is_in_no_error_and_in_no_log(
    github: GitHub, connection: Connection, waits: Waits, caplog: pytest.LogCaptureFixture
) -> None:
    github.state.faults.append(Fault("POST", "graphql", status=500, times=99))
    with caplog.at_level("DEBUG"), pytest.raises(GitHubError) as caught:
        _ = connection.ourselves
    assert caplog.records, "the client logs its requests"
    assert TOKEN not in f"{caught.value} {waits.said} {caplog.text} {connection!r}"


@pytest.mark.parametrize(
    ("repository", "token", "says"),
    [
        (REPOSITORY, "", "GITHUB_TOKEN is not set"),
        ("fleet", TOKEN, "'fleet' is no repository; write it as OWNER/NAME"),
        ("acme/", TOKEN, "is no repository"),
    ],
)
def test_what_is_missing_is_said_before_github_is_asked(
    repository: str, token: str, says: str
) -> None:
    with pytest.raises(GitHubError, match=says):
        connect(repository, {"GITHUB_TOKEN": token}, Patience(lambda _: None))


def test_a_wrong_token_is_not_tried_again(github: GitHub, waits: Waits) -> None:
    patience = Patience(waits.said.append, sleep=waits.sleep)
    connection = connect(REPOSITORY, github.environment("another"), patience)
    with pytest.raises(GitHubError, match=r"401, Bad credentials\. The token is not valid"):
        _ = connection.ourselves
    assert waits.seconds == []


def test_a_wait_says_why() -> None:
    assert wait_for(answered(503), 0, NOW) == Wait(2, "GitHub answers 503")
