"""How long to wait for GitHub, and when to stop waiting."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TypeVar

import httpx
import requests
from github import GithubException

from daskfleet.platform.review.github.errors import GitHubError, message_of, refused

Result = TypeVar("Result")

SECONDARY_LIMIT_S = 60.0
"""https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api: without
``retry-after`` wait a minute, then exponentially longer."""

FIRST_BACKOFF_S = 2.0
BUDGET_S = 900.0
"""Waiting of one command in all; its job has 20 minutes."""

TRIES = 6
LIMITS = (HTTPStatus.FORBIDDEN, HTTPStatus.TOO_MANY_REQUESTS)
CONNECTION_ERRORS = (
    requests.ConnectionError,
    requests.Timeout,
    requests.exceptions.ChunkedEncodingError,
    httpx.TransportError,
)


@dataclass(frozen=True)
class Wait:
    """Try again after this time."""

    seconds: float
    why: str


def wait_for(error: Exception, tries: int, now: float) -> Wait | None:
    """Return how long to wait after a failed try, or None when no waiting helps."""
    backoff = FIRST_BACKOFF_S * 2**tries
    if isinstance(error, CONNECTION_ERRORS):
        return Wait(backoff, f"no answer from GitHub ({type(error).__name__})")
    if isinstance(error, httpx.HTTPStatusError):
        response = error.response
        return _after_answer(response.status_code, response.headers, response.text, tries, now)
    if isinstance(error, GithubException):
        headers = {name.lower(): value for name, value in (error.headers or {}).items()}
        return _after_answer(error.status, headers, message_of(error), tries, now)
    return None


def _after_answer(
    status: int, headers: Mapping[str, str], said: str, tries: int, now: float
) -> Wait | None:
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return Wait(FIRST_BACKOFF_S * 2**tries, f"GitHub answers {status}")
    if status not in LIMITS:
        return None
    if after := _number(headers.get("retry-after")):
        return Wait(after, "GitHub's rate limit, which says how long")
    if headers.get("x-ratelimit-remaining") == "0":
        reset = _number(headers.get("x-ratelimit-reset"))
        # The limit ends some time within that second.
        return Wait(max(reset - now, 0.0) + 1.0, "GitHub's rate limit, until it begins anew")
    if status == HTTPStatus.TOO_MANY_REQUESTS or "rate limit" in said.lower():
        return Wait(SECONDARY_LIMIT_S * 2**tries, "GitHub's secondary rate limit")
    return None


def _number(text: str | None) -> float:
    return float(text) if text and text.strip().isdigit() else 0.0


@dataclass
class Patience:
    """Tries again while that is of use, says what it waits for, and gives up in bounded time."""

    say: Callable[[str], None]
    sleep: Callable[[float], None] = time.sleep
    now: Callable[[], float] = time.time
    budget_s: float = BUDGET_S
    waited_s: float = field(default=0.0, init=False)

    def insist(self, what: str, attempt: Callable[[], Result]) -> Result:
        """Do it until it succeeds.

        A write that got no good answer may have been carried out all the same. So an attempt that
        writes begins by looking at what is there.
        """
        tries = 0
        while True:
            try:
                return attempt()
            except (GithubException, requests.RequestException, httpx.HTTPError) as error:
                self._wait_after(what, error, tries)
            tries += 1

    def _wait_after(self, what: str, error: Exception, tries: int) -> None:
        wait = wait_for(error, tries, self.now())
        if wait is None:
            if isinstance(error, GithubException):
                raise refused(what, error) from error
            raise GitHubError(f"{what}: {error}") from error
        if tries + 1 >= TRIES:
            raise GitHubError(
                f"{what}: {wait.why}, {TRIES} times. "
                "Look at https://www.githubstatus.com, then run the job again."
            ) from error
        if self.waited_s + wait.seconds > self.budget_s:
            raise GitHubError(
                f"{what}: {wait.why}; that is {wait.seconds:.0f} s, and of the {self.budget_s:.0f} "
                f"s that this command waits {self.waited_s:.0f} are gone. Run the job again later."
            ) from error
        self.say(f"{what}: {wait.why}; next try in {wait.seconds:.0f} s")
        self.sleep(wait.seconds)
        self.waited_s += wait.seconds
