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
    """One thing that must change before the settings can be read: a misread value at its place."""

    misread: Misread
    place: Place = ()
    value: str = ""
    """What stands there; as it is, so whoever prints it has to shorten and escape it."""

    line: int | None = None
    """Counted from 1; ``None`` where the values did not come from a file."""


class TooMuchError(Exception):
    """A bound was exceeded beyond which nothing is read any more."""

    def __init__(self, mistake: Mistake) -> None:
        self.mistake = mistake
        super().__init__(mistake.misread.reason)
