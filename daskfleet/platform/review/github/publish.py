"""A review on its pull request: the comment first, the status last."""

from dataclasses import dataclass, replace

from github.Issue import Issue
from github.PullRequest import PullRequest

from daskfleet.catalog.changes import ChangeClass
from daskfleet.platform.review.allowed import SPELLINGS
from daskfleet.platform.review.github.allowances import (
    PREFIX,
    Allowances,
    labels_of,
    read_allowances,
    take_back,
)
from daskfleet.platform.review.github.comments import Outcome, upsert_comment
from daskfleet.platform.review.github.connection import Connection
from daskfleet.platform.review.github.pull_requests import comes_from_fork
from daskfleet.platform.review.github.seen import shows
from daskfleet.platform.review.github.statuses import State, set_status, state_of
from daskfleet.platform.review.markdown.comment import comment
from daskfleet.platform.review.markdown.top import marker
from daskfleet.platform.review.model import Gate, Review

FORK = (
    "This pull request is from a fork: its own code wrote the data of this review, in the "
    "rehearsal. The real fleet was not asked."
)
FORK_GATE = (
    "Rehearsed only, by the fork's own code. Push the commits to a branch of this repository for "
    "a preview"
)


@dataclass(frozen=True)
class Target:
    """What a review is for, by the word of GitHub and of our own checkout."""

    connection: Connection
    pull: PullRequest
    commit: str
    project: str
    stack: str
    run_url: str

    @property
    def issue(self) -> Issue:
        """The pull request as what has comments and labels."""
        return self.connection.repository.get_issue(self.pull.number)

    def obsolete(self) -> str:
        """Return why there is nothing to publish to any more; empty when there is."""
        if self.pull.state != "open":
            return f"#{self.pull.number} is closed"
        if self.pull.head.sha != self.commit:
            return f"#{self.pull.number} has moved on to {self.pull.head.sha[:8]}"
        return ""


@dataclass(frozen=True)
class Labels:
    """What the labels allow for this commit."""

    allowances: Allowances
    taken_back: tuple[str, ...]

    @property
    def allowed(self) -> frozenset[ChangeClass]:
        """The classes to hand to the gate."""
        return self.allowances.classes


def read_labels(target: Target) -> Labels:
    """Return what is allowed, and take back what was allowed for another commit."""
    labels = labels_of(target.connection, target.issue)
    hidden = marker(target.project, target.stack)
    ours = any(label.startswith(PREFIX) for label in labels)
    if ours and not shows(target.connection, target.issue, marker=hidden, commit=target.commit):
        taken = take_back(target.connection, target.issue, labels)
        return Labels(read_allowances([]), tuple(taken))
    return Labels(read_allowances(labels), ())


def post(target: Target, review: Review, labels: Labels) -> Outcome:
    """Write the comment, then the status: who sees the status finds the comment."""
    is_fork = comes_from_fork(target.pull)
    shown = with_circumstances(review, labels, is_fork=is_fork)
    outcome = upsert_comment(target.connection, target.issue, comment(shown))
    set_status(
        target.connection,
        target.commit,
        stack=target.stack,
        state=_state(review, is_fork=is_fork),
        description=shown.gate.why,
        target_url=target.run_url,
    )
    return outcome


def _state(review: Review, *, is_fork: bool) -> State:
    """What a fork's own code says may stop a merge, and never let it through."""
    state = state_of(review.gate, review.verdict)
    return State.PENDING if is_fork and state is State.SUCCESS else state


def with_circumstances(review: Review, labels: Labels, *, is_fork: bool) -> Review:
    """Say in the review what GitHub knows and the preview does not."""
    warnings = []
    if is_fork:
        warnings.append(FORK)
    if labels.taken_back:
        named = ", ".join(labels.taken_back)
        warnings.append(
            f"Removed, because they were set before this commit was reviewed: {named}. Set again "
            f"those that still hold."
        )
    if labels.allowances.unknown:
        named, known = ", ".join(labels.allowances.unknown), ", ".join(SPELLINGS)
        warnings.append(f"Allows nothing: {named}. What can be allowed: {known}.")
    gate = review.gate
    if is_fork and gate.passes:
        gate = Gate(passes=False, why=FORK_GATE, allowed=gate.allowed)
    return replace(review, warnings=(*warnings, *review.warnings), gate=gate)


def post_failure(target: Target, why: str) -> None:
    """Say in the status that no review could be made; an earlier success must not stand."""
    set_status(
        target.connection,
        target.commit,
        stack=target.stack,
        state=State.ERROR,
        description=why,
        target_url=target.run_url,
    )
