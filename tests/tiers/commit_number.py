"""The number of the commit that is checked out, and what it was taken from."""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class CommitNumber:
    """A number that the next commit has another one of."""

    number: int
    source: str


def commit_number(directory: Path) -> CommitNumber:
    """Count the commits up to HEAD.

    A shallow clone does not know them, so HEAD's hash stands in: any tenth, but the same one for
    everybody who tests this commit. Outside of git it is always the first tenth.
    """
    head = _git(directory, "rev-parse", "--short=12", "HEAD")
    if head is None:
        return CommitNumber(number=0, source="outside of git")
    if _git(directory, "rev-parse", "--is-shallow-repository") == "true":
        return CommitNumber(number=int(head[:8], 16), source=f"hash of {head}, a shallow clone")
    count = _git(directory, "rev-list", "--count", "HEAD")
    return CommitNumber(number=int(count or 0), source=f"commits up to {head}")


def _git(directory: Path, *arguments: str) -> str | None:
    git = shutil.which("git")
    if git is None:
        return None
    done = subprocess.run(
        [git, "-C", str(directory), *arguments], capture_output=True, text=True, check=False
    )
    return done.stdout.strip() if done.returncode == 0 else None
