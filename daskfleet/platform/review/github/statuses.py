"""The commit status that a branch rule can require."""

from enum import StrEnum

from daskfleet.platform.review.github.connection import Connection
from daskfleet.platform.review.model import Gate, Verdict

LONGEST_DESCRIPTION = 140
"""Characters; GitHub answers 422 to more."""


class State(StrEnum):
    """GitHub's words; only ``success`` lets a merge through."""

    SUCCESS = "success"
    FAILURE = "failure"
    ERROR = "error"
    PENDING = "pending"


def context_of(stack: str) -> str:
    """Return the name under which branch rules know the status."""
    return f"daskfleet/review ({stack})"


def state_of(gate: Gate, verdict: Verdict) -> State:
    """Tell a gate that stops from a review that could not be made."""
    if verdict is Verdict.FAILED:
        return State.ERROR
    return State.SUCCESS if gate.passes else State.FAILURE


def set_status(
    connection: Connection,
    commit: str,
    *,
    stack: str,
    state: State,
    description: str,
    target_url: str,
) -> None:
    """Set the status of a commit; the latest of a context counts, so one more does no harm."""
    shown = description
    if len(shown) > LONGEST_DESCRIPTION:
        shown = f"{shown[: LONGEST_DESCRIPTION - 1]}…"
    connection.insist(
        f"Setting the status of {commit[:8]}",
        lambda: connection.repository.get_commit(commit).create_status(
            state=state.value,
            target_url=target_url,
            description=shown,
            context=context_of(stack),
        ),
    )
