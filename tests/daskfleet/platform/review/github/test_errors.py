"""Unit: what GitHub refuses is said in its words, with what leads on."""

from typing import Any

import pytest
from github import GithubException

from daskfleet.platform.review.github.errors import (
    NEXT_STEPS,
    message_of,
    next_step,
    refused,
    unless_gone,
)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"message": "Validation Failed"}, "Validation Failed"),
        (
            {"message": "Validation Failed", "errors": [{"resource": "Issue", "code": "missing"}]},
            "Validation Failed (Issue missing)",
        ),
        ({"message": "No", "errors": [{"field": "body"}, "too long"]}, "No (body; too long)"),
        ({"message": "No", "errors": "all of it"}, "No (all of it)"),
        ({}, "without a message"),
        ("<html>", "without a message"),
    ],
)
def test_a_message_has_the_fields_that_github_finds_fault_with(data: Any, said: str) -> None:
    assert message_of(GithubException(422, data)) == said


def test_a_refusal_names_what_was_tried_the_status_and_the_next_step() -> None:
    error = refused("Posting", GithubException(403, {"message": "Resource not accessible"}))

    text = str(error)
    assert text.startswith("Posting: GitHub answers 403, Resource not accessible. Grant the token")


def test_an_answer_that_nobody_here_can_mend_leads_to_githubs_own_page() -> None:
    assert all(next_step(status) == step for status, step in NEXT_STEPS.items())
    assert "githubstatus.com" in next_step(500)


def test_only_what_is_gone_is_passed_over() -> None:
    with unless_gone():
        raise GithubException(404, {})
    with pytest.raises(GithubException), unless_gone():
        raise GithubException(403, {})
