"""What is asked, by whom."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

Progress = Callable[[str], None]
"""Takes what is being done."""


MEMBERS_PYTHON = (
    "`--python` names a Python of this machine, and an answer of Dask's can run code in it. "
)
"""Why it is for members alone."""


@dataclass(frozen=True, kw_only=True)
class Question:
    """Which clusters to look at, and how."""

    stack: str | None
    team: str | None
    python: Path | None = None
    """Of this machine, in place of this command's own; for members."""
    modules: tuple[str, ...] = ()
    """Of the team."""
    address: str | None = None
    """The scheduler's for this machine, instead of the way that is found; for one team."""
