"""What is wrong with a text before anybody asks what its settings mean."""

from dataclasses import dataclass
from typing import TypeAlias

Place: TypeAlias = tuple[str | int, ...]
"""Keys and indexes that lead from the top of a document to a value; empty: all of it."""


@dataclass(frozen=True, kw_only=True)
class Misread:
    """What is wrong with a value, wherever it stands."""

    reason: str
    allowed: str
    next_step: str


@dataclass(frozen=True, kw_only=True)
class Mistake:
    """One thing that must change before the settings can be read."""

    place: Place
    value: str
    """What stands there; as it is, so whoever prints it has to shorten and escape it."""

    reason: str
    allowed: str
    next_step: str
    line: int | None = None
    """Counted from 1; ``None`` where the values did not come from a file."""


def mistake_of(
    misread: Misread, *, place: Place = (), value: str = "", line: int | None = None
) -> Mistake:
    """A misread value at its place."""
    return Mistake(
        line=line,
        place=place,
        value=value,
        reason=misread.reason,
        allowed=misread.allowed,
        next_step=misread.next_step,
    )


class TooMuchError(Exception):
    """A bound was exceeded beyond which nothing is read any more."""

    def __init__(self, mistake: Mistake) -> None:
        self.mistake = mistake
        super().__init__(mistake.reason)
