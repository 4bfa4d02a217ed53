"""A client of GitHub's API, or of a GitHub Enterprise Server's, and who it speaks as."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from github import Auth, Github
from github.Repository import Repository

from daskfleet.platform.review.github.errors import GitHubError
from daskfleet.platform.review.github.patience import Patience

Result = TypeVar("Result")

TOKEN = "GITHUB_TOKEN"  # noqa: S105 - the name of a variable
API_URL = "GITHUB_API_URL"
"""GitHub sets it in every job, also on Enterprise Server."""

PUBLIC_API = "https://api.github.com"
SECONDS_BETWEEN_WRITES = 1.0
"""https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api"""


@dataclass(frozen=True)
class Connection:
    """One repository at GitHub, with the patience to talk to it."""

    client: Github
    repository: Repository
    patience: Patience
    api_url: str
    token: str = field(repr=False)

    def insist(self, what: str, attempt: Callable[[], Result]) -> Result:
        """Do it, and again while GitHub says that waiting helps."""
        return self.patience.insist(what, attempt)

    @cached_property
    def ourselves(self) -> str:
        """The login that writes with this token: a person's, or an app's with ``[bot]``.

        ``GET /user`` refuses the tokens of workflows and apps; the viewer of GraphQL does not.
        """
        _, answer = self.insist(
            "Asking who the token belongs to",
            lambda: self.client.requester.graphql_query("query { viewer { login } }", {}),
        )
        return str(answer["data"]["viewer"]["login"])


def connect(
    repository: str,
    environment: Mapping[str, str],
    patience: Patience,
    *,
    seconds_between_writes: float = SECONDS_BETWEEN_WRITES,
) -> Connection:
    """Make a client from the environment; asks nothing yet."""
    token = environment.get(TOKEN, "")
    if not token:
        raise GitHubError(
            f"{TOKEN} is not set. In a workflow give it to the step with "
            "`env: GITHUB_TOKEN: ${{ github.token }}`; it is never taken from the command line."
        )
    if repository.count("/") != 1 or not all(repository.split("/")):
        raise GitHubError(f"{repository!r} is no repository; write it as OWNER/NAME.")
    api_url = environment.get(API_URL) or PUBLIC_API
    client = Github(
        auth=Auth.Token(token),
        base_url=api_url,
        # The client would repeat a POST that may have been carried out; patience
        # looks first.
        retry=None,
        seconds_between_requests=None,
        seconds_between_writes=seconds_between_writes,
        per_page=100,
        lazy=True,
    )
    return Connection(client, client.get_repo(repository), patience, api_url, token)
