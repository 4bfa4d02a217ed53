"""What stops the talk with GitHub, each with the next step."""

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus

from github import GithubException

PERMISSIONS = (
    "Grant the token of the job what the workflows of this repository declare: "
    "`pull-requests: write` for comments and labels, `statuses: write` for commit statuses, "
    "`issues: write` for the drift issue, `actions: read` for artifacts. A pull request's own jobs "
    "never get them for a fork: publish from the workflow that `workflow_run` starts"
)
NEXT_STEPS = {
    HTTPStatus.UNAUTHORIZED: (
        "The token is not valid, or no longer valid. In a workflow set GITHUB_TOKEN to "
        "`${{ github.token }}`"
    ),
    HTTPStatus.FORBIDDEN: PERMISSIONS,
    HTTPStatus.NOT_FOUND: (
        "GitHub also answers this for what a token may not see. Check the repository and the "
        "number. Then grant the job's token access to them"
    ),
    HTTPStatus.GONE: "Issues are switched off in this repository: switch them on in its settings",
    HTTPStatus.UNPROCESSABLE_ENTITY: (
        "GitHub does not accept what was sent. That is a mistake of daskfleet: report this line"
    ),
}


class GitHubError(Exception):
    """GitHub cannot be asked or told; the message says why and what to do."""


@contextmanager
def unless_gone() -> Iterator[None]:
    """Do the block, and nothing when its subject is gone: somebody was faster.

    The client's own exception for that is for the message "Not Found" alone, and GitHub words it
    in other ways too.
    """
    try:
        yield
    except GithubException as error:
        if error.status != HTTPStatus.NOT_FOUND:
            raise


def refused(what: str, error: GithubException) -> GitHubError:
    """Say what GitHub refused, in its own words, and what leads on."""
    said = message_of(error)
    step = next_step(error.status)
    return GitHubError(f"{what}: GitHub answers {error.status}, {said}. {step}.")


def next_step(status: int) -> str:
    """Return what somebody can do about an answer that no waiting mends."""
    if status in NEXT_STEPS:
        return NEXT_STEPS[HTTPStatus(status)]
    return "Look at https://www.githubstatus.com, then run the job again"


def message_of(error: GithubException) -> str:
    """Return GitHub's message, with the fields that it finds fault with."""
    if not isinstance(error.data, dict):
        return str(error.message or "without a message")
    said = str(error.data.get("message") or error.message or "without a message")
    faults = error.data.get("errors") or []
    details = [_fault(fault) for fault in faults] if isinstance(faults, list) else [str(faults)]
    return f"{said} ({'; '.join(details)})" if details else said


def _fault(fault: object) -> str:
    if not isinstance(fault, dict):
        return str(fault)
    words = (fault.get("message"), fault.get("resource"), fault.get("field"), fault.get("code"))
    return " ".join(str(word) for word in words if word)
