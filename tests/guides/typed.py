"""The commands that guides tell their readers to type."""

from collections.abc import Iterator
from pathlib import Path

from release.site.navigation import HOME, NAVIGATION
from tests.project import PROJECT_DIR
from tests.rehearsal.runbook.pages import RUNBOOK, Command, steps

READERS = ("For team members", "For platform engineers")
GUIDES = tuple(
    f"{page}.md"
    for page in (HOME, *(each for reader in READERS for each in NAVIGATION[reader]))
    if PROJECT_DIR / f"{page}.md" != RUNBOOK
)
"""What a reader follows. The runbook has tests of its own, and says more of what is printed."""

UNENDING = ("daskfleet connect", "daskfleet serve", "port-forward", "--follow", "logs -f")
"""What commands have in them that go on until somebody ends them."""


def commands_of(guide: str) -> Iterator[Command]:
    """Every command of a guide's sessions, in the order of the page."""
    page = (PROJECT_DIR / Path(guide)).read_text("utf-8")
    return (step for step in steps(page) if isinstance(step, Command))


def is_unending(command: Command) -> bool:
    """Whether somebody has to end this command."""
    return any(part in command.text for part in UNENDING)
