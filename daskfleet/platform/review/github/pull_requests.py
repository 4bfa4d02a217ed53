"""Which pull request a review is for: GitHub says so, never the artifact."""

import re
from dataclasses import dataclass

from github.PullRequest import PullRequest
from github.WorkflowRun import WorkflowRun

from daskfleet.platform.review.github.connection import Connection
from daskfleet.platform.review.github.errors import GitHubError

REFERENCE = re.compile(r"(?P<repository>[\w.-]+/[\w.-]+)#(?P<number>[1-9]\d*)")


@dataclass(frozen=True)
class Reference:
    """``OWNER/NAME#NUMBER``."""

    repository: str
    number: int


def parse_reference(text: str) -> Reference:
    """Read ``OWNER/NAME#NUMBER``."""
    match = REFERENCE.fullmatch(text)
    if match is None:
        raise GitHubError(f"{text!r} is no pull request; write it as OWNER/NAME#NUMBER.")
    return Reference(match["repository"], int(match["number"]))


def read_pull_request(connection: Connection, number: int) -> PullRequest:
    """Ask for a pull request."""

    def ask() -> PullRequest:
        pull = connection.repository.get_pull(number)
        pull.complete()
        return pull

    return connection.insist(f"Reading #{number}", ask)


def comes_from_fork(pull: PullRequest) -> bool:
    """Whether the head is in another repository, or in one that is gone."""
    return not pull.head.repo or pull.head.repo.full_name != pull.base.repo.full_name


def pull_request_of(connection: Connection, run: WorkflowRun) -> PullRequest | None:
    """Return the open pull request whose head this run was for, or None when it has moved on.

    GitHub leaves a run's own list of pull requests empty for forks. Head branch and base branch
    together belong to one open pull request at most.
    """
    owner, branch = run.head_repository.owner.login, run.head_branch
    pulls = connection.insist(
        f"Looking for the pull request of {owner}:{branch}",
        lambda: list(
            connection.repository.get_pulls(
                state="open",
                head=f"{owner}:{branch}",
                base=connection.repository.default_branch,
            )
        ),
    )
    return next(
        (
            pull
            for pull in pulls
            if pull.head.sha == run.head_sha and pull.head.repo.id == run.head_repository.id
        ),
        None,
    )
