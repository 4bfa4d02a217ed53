"""What the comment is about, when it was made, what was cut, and how to see it again."""

import re
import shlex
from collections.abc import Sequence
from datetime import UTC

from daskfleet.platform.review.markdown.escape import code
from daskfleet.platform.review.model import Review

COMMIT = re.compile(r"[0-9a-f]{7,64}")
"""GitHub makes a link of one that stands in plain text."""


def footer(review: Review) -> str:
    """Commit, time, command."""
    known = [
        f"Commit {_commit(review.commit)}" if review.commit else "",
        review.made_at.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        f"again: {code(_command(review), 200)}",
    ]
    return f"<sub>{' · '.join(each for each in known if each)}</sub>"


def cut(left_out: Sequence[str], review: Review, *, elsewhere: str) -> str:
    """What is missing, and where it is."""
    command = code(f"{_command(review)} --format json", 200)
    return (
        f"**Cut to the size that GitHub takes:** {', '.join(left_out)} are left out. All of it is "
        f"{elsewhere}, and {command} prints it."
    )


def _commit(sha: str) -> str:
    return sha[:10] if COMMIT.fullmatch(sha) else code(sha[:10])


def _command(review: Review) -> str:
    return f"daskfleet review --stack {shlex.quote(review.stack)}"
