"""The plan that was reviewed on the pull request, for the very tree that was merged."""

from dataclasses import dataclass

from github.CommitStatus import CommitStatus
from github.PullRequest import PullRequest

from daskfleet.platform.review.github.artifacts import find_artifact, read_files
from daskfleet.platform.review.github.connection import Connection
from daskfleet.platform.review.github.errors import GitHubError
from daskfleet.platform.review.github.received import runs_for
from daskfleet.platform.review.github.statuses import State, context_of

PLAN = "plan.json"
INSTEAD = (
    "Nothing was changed. To go on, start this workflow by hand on the default branch: it makes a "
    "plan of what is merged, and the environment's reviewers see and approve it"
)


@dataclass(frozen=True)
class ReviewedPlan:
    """A plan, and where it was reviewed."""

    content: bytes
    pull_request: str


def artifact_name(stack: str, tree: str) -> str:
    """Return the name under which a preview keeps a plan: of this stack, and of this tree alone."""
    return f"plan-{stack}-{tree}"


def reviewed_plan(connection: Connection, *, stack: str, commit: str, tree: str) -> ReviewedPlan:
    """Return the plan that was made of this tree and passed the gate.

    Raises:
        GitHubError: there is none; nothing may be applied then.
    """
    pull = _merged(connection, commit)
    status = _status(connection, pull.head.sha, stack)
    if status is None or status.state != State.SUCCESS:
        said = f"{status.state}: {status.description}" if status else "none"
        raise GitHubError(
            f"The status `{context_of(stack)}` of #{pull.number} is not a success ({said}). "
            f"{INSTEAD}."
        )
    name = artifact_name(stack, tree)
    content = _plan(connection, pull.head.sha, name)
    if content is None:
        raise GitHubError(
            f"No plan of the merged tree was reviewed on #{pull.number} (artifact {name}): the "
            f"default branch had moved on, or the plan has expired. {INSTEAD}."
        )
    return ReviewedPlan(content, pull.html_url)


def _merged(connection: Connection, commit: str) -> PullRequest:
    pulls = connection.insist(
        f"Looking for the pull request of {commit[:8]}",
        lambda: list(connection.repository.get_commit(commit).get_pulls()),
    )
    merged = [pull for pull in pulls if pull.merged_at and pull.merge_commit_sha == commit]
    if not merged:
        raise GitHubError(f"{commit[:8]} was not merged from a pull request. {INSTEAD}.")
    return merged[0]


def _status(connection: Connection, head: str, stack: str) -> CommitStatus | None:
    """Return the newest status that we set."""
    statuses = connection.insist(
        f"Reading the statuses of {head[:8]}",
        lambda: list(connection.repository.get_commit(head).get_statuses()),
    )
    ours = (
        status
        for status in statuses
        if status.context == context_of(stack)
        and status.creator
        and status.creator.login == connection.ourselves
    )
    return next(ours, None)


def _plan(connection: Connection, head: str, name: str) -> bytes | None:
    for run in runs_for(connection, head):
        artifact = find_artifact(connection, run, name)
        if artifact:
            return read_files(connection, artifact, (PLAN,)).get(PLAN)
    return None
