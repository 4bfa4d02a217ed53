"""One open issue for each stack that has drifted, and none for others."""

from collections.abc import Iterable
from typing import Literal

from github.Issue import Issue

from daskfleet.platform.drift.model import Report
from daskfleet.platform.review.github.comments import carrying, is_ours
from daskfleet.platform.review.github.connection import Connection
from daskfleet.platform.review.github.drift_body import body, closing_comment, marker, title
from daskfleet.platform.review.github.errors import unless_gone

Action = Literal["opened", "updated", "unchanged", "closed", "nothing to do"]


def settle(
    connection: Connection, report: Report, project: str, run_url: str
) -> tuple[Action, str]:
    """Open, update or close the issue; return what was done, and the issue's address."""
    what = f"Keeping the issue about the drift of {report.stack}"
    return connection.insist(what, lambda: _attempt(connection, report, project, run_url))


def _attempt(
    connection: Connection, report: Report, project: str, run_url: str
) -> tuple[Action, str]:
    ours = _open_issues(connection, marker(project, report.stack))
    if not report.has_drifted:
        _close(ours, closing_comment(report, run_url))
        return ("closed", ours[0].html_url) if ours else ("nothing to do", "")
    wanted = body(report, project, run_url)
    if not ours:
        issue = connection.repository.create_issue(title=title(report.stack), body=wanted)
        return "opened", issue.html_url
    kept, duplicates = ours[0], ours[1:]
    _close(duplicates, f"The same as #{kept.number}.")
    if kept.body.replace("\r\n", "\n").rstrip() == wanted.rstrip():
        return "unchanged", kept.html_url
    kept.edit(body=wanted)
    return "updated", kept.html_url


def _open_issues(connection: Connection, hidden: str) -> list[Issue]:
    issues = connection.repository.get_issues(
        state="open",
        creator=connection.ourselves,  # type: ignore[arg-type] # its check takes a login, too
    )
    # GitHub lists pull requests among the issues.
    own = (each for each in issues if each.pull_request is None and is_ours(connection, each))
    return carrying(hidden, own)


def _close(issues: Iterable[Issue], why: str) -> None:
    for issue in issues:
        with unless_gone():
            # Closed first: when the comment's answer is lost, another attempt finds nothing open,
            # and nothing is said twice.
            issue.edit(state="closed", state_reason="completed")
            issue.create_comment(why)
