"""What somebody who allows a change had before their eyes."""

from github.Issue import Issue

from daskfleet.platform.review.github.comments import find_ours
from daskfleet.platform.review.github.connection import Connection
from daskfleet.platform.review.markdown.shown_commit import commit_of


def shows(connection: Connection, issue: Issue, *, marker: str, commit: str) -> bool:
    """Whether our comment is there and about this commit."""
    return connection.insist(
        f"Looking for the review on #{issue.number}",
        lambda: any(
            commit_of(comment.body) == commit for comment in find_ours(connection, issue, marker)
        ),
    )
