"""Pure: what is asked of a spec, and what the team's bounds say to it."""

from dataclasses import dataclass
from typing import Protocol, TypeVar


class NoSpecError(Exception):
    """There is no such spec for the team; the message says why, and what to do."""


class NoStackError(Exception):
    """There is no such stack file; the message says which there are."""


class Bounds(Protocol):
    """Whatever says how many workers there may be: the stack file's entry, or the notice's."""

    @property
    def max_workers(self) -> int:
        """Of all own clusters together."""


Known = TypeVar("Known", bound=Bounds)


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What the user chooses."""

    name: str | None
    """None: the team's name with ``-own``."""
    workers: int
    idle_timeout_s: int


def checked(own: Known | None, *, team: str, wanted: Wanted) -> Known:
    """Return the bounds.

    Raises:
        NoSpecError: the API server would refuse such a cluster, or its quota some of its workers.

    """
    if own is None:
        raise NoSpecError(
            f"Team {team} may have no clusters of its own. Propose `ephemeral` for its entry in "
            "the stack file (docs/ephemeral.md)."
        )
    if wanted.name == team:
        raise NoSpecError(f"{team} is the fixed cluster's name. Choose another name.")
    if wanted.workers > own.max_workers:
        raise NoSpecError(
            f"teams[{team}].ephemeral.max_workers is {own.max_workers}. Ask for fewer, or "
            f"propose another number in its entry of the stack file."
        )
    return own
