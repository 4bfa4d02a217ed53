"""One comment on an issue or pull request, ours, updated in place."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, Protocol, TypeVar

from github.Issue import Issue
from github.IssueComment import IssueComment

from daskfleet.platform.review.github.connection import Connection
from daskfleet.platform.review.github.errors import GitHubError, unless_gone

LONGEST_BODY = 65_536
"""Characters, of comments and of issues: GitHub answers 422 to more."""


class Written(Protocol):
    """A comment or an issue."""

    @property
    def body(self) -> str: ...  # noqa: D102
    @property
    def id(self) -> int: ...  # noqa: D102


Text = TypeVar("Text", bound=Written)


@dataclass(frozen=True)
class Outcome:
    """What became of the comment."""

    action: Literal["created", "updated", "unchanged"]
    url: str
    removed_duplicates: int = 0


def marker_of(body: str) -> str:
    """Return the hidden first line that says what a text is for."""
    marker = body.partition("\n")[0].strip()
    if not (marker.startswith("<!--") and marker.endswith("-->")):
        raise GitHubError(f"The text begins without a hidden marker: {marker[:60]!r}.")
    return marker


def carrying(marker: str, texts: Iterable[Text]) -> list[Text]:
    """Return the texts that begin with the marker, oldest first.

    A marker further down is a quotation.
    """
    found = [text for text in texts if (text.body or "").lstrip().startswith(marker)]
    return sorted(found, key=lambda text: text.id)


def find_ours(connection: Connection, issue: Issue, marker: str) -> list[IssueComment]:
    """Return our comments with this marker; whoever else pasted the marker keeps theirs."""
    comments = (c for c in issue.get_comments() if is_ours(connection, c))
    return carrying(marker, comments)


def is_ours(connection: Connection, written: Issue | IssueComment) -> bool:
    """Whether we wrote it; the user of a deleted account is null."""
    return bool(written.user) and written.user.login == connection.ourselves


def upsert_comment(connection: Connection, issue: Issue, body: str) -> Outcome:
    """Make the comment say this; there is one afterwards."""
    if len(body) > LONGEST_BODY:
        raise GitHubError(
            f"The comment has {len(body)} characters and GitHub takes {LONGEST_BODY}: a mistake of "
            "daskfleet, which cuts at the borders of sections. Report it."
        )
    what = f"Commenting on #{issue.number}"
    return connection.insist(what, lambda: _attempt(connection, issue, body))


def _attempt(connection: Connection, issue: Issue, body: str) -> Outcome:
    ours = find_ours(connection, issue, marker_of(body))
    while ours:
        comment, *ours = ours
        with unless_gone():
            return Outcome(_update(comment, body), comment.html_url, _delete(ours))
    return Outcome("created", issue.create_comment(body).html_url)


def _update(comment: IssueComment, body: str) -> Literal["updated", "unchanged"]:
    if comment.body.replace("\r\n", "\n").rstrip() == body.rstrip():
        return "unchanged"
    comment.edit(body)
    return "updated"


def _delete(comments: list[IssueComment]) -> int:
    for comment in comments:
        with unless_gone():
            comment.delete()
    return len(comments)
