"""What a comment is about can be read from it, and from nothing that it quotes."""

import pytest

from daskfleet.platform.review.markdown.comment import comment
from daskfleet.platform.review.markdown.shown_commit import commit_line, commit_of
from tests.daskfleet.platform.review.sample_reviews import SAMPLES

COMMIT = "0123456789abcdef" * 2 + "01234567"


@pytest.mark.parametrize("commit", [COMMIT, COMMIT + "0" * 24])
def test_the_line_is_read_where_it_is_written(commit: str) -> None:
    assert commit_of(f"<!-- marker -->\n{commit_line(commit)}\nrest") == commit
    assert commit_of(f"<!-- marker -->\r\n{commit_line(commit)}\r\nrest") == commit


@pytest.mark.parametrize(
    "text",
    [
        "",
        "one line",
        f"a\nb\n{commit_line(COMMIT)}",
        f"a\n> {commit_line(COMMIT)}",
        "a\n<!-- x -->",
    ],
)
def test_a_line_elsewhere_says_nothing(text: str) -> None:
    assert commit_of(text) == ""


@pytest.mark.parametrize("commit", ["", "abc123", "main -->", COMMIT.upper()])
def test_what_is_no_whole_commit_has_no_line(commit: str) -> None:
    assert commit_line(commit) == ""


@pytest.mark.parametrize("name", SAMPLES)
def test_every_comment_says_its_commit(name: str) -> None:
    review = SAMPLES[name]()
    assert commit_of(comment(review)) == review.commit
