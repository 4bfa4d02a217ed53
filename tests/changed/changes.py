"""What has changed: the working tree, against the commit at which the branch left main."""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

BRANCHES = ("main", "origin/main")


class NoRepositoryError(Exception):
    """Without git nobody knows what has changed."""


@dataclass(frozen=True, kw_only=True)
class Changes:
    """Paths from the project's root."""

    since: str
    """In words."""
    present: frozenset[str]
    """Added or edited."""
    gone: frozenset[str]


def changes(root: Path) -> Changes:
    """Compare with the merge base, or with HEAD where there is no main; new files count.

    Raises:
        NoRepositoryError: git knows nothing of this directory.

    """
    base, since = _base(root)
    listed = _git(root, "diff", "--no-renames", "--name-status", "-z", base, "--") or ""
    words = listed.split("\0")[:-1]
    status = dict(zip(words[1::2], words[::2], strict=True))
    untracked = _git(root, "ls-files", "--others", "--exclude-standard", "-z") or ""
    new = filter(None, untracked.split("\0"))
    return Changes(
        since=since,
        present=frozenset({path for path, letter in status.items() if letter != "D"} | set(new)),
        gone=frozenset(path for path, letter in status.items() if letter == "D"),
    )


def _base(root: Path) -> tuple[str, str]:
    for branch in BRANCHES:
        if base := _git(root, "merge-base", branch, "HEAD"):
            return base, f"{base[:12]}, where this branch left {branch}"
    head = _git(root, "rev-parse", "HEAD")
    if head is None:
        raise NoRepositoryError(f"{root} is no git repository with a commit.")
    return head, f"{head[:12]}, the last commit"


def _git(root: Path, *arguments: str) -> str | None:
    git = shutil.which("git") or "git"
    done = subprocess.run(
        [git, "-C", str(root), *arguments], capture_output=True, text=True, check=False
    )
    return done.stdout.removesuffix("\n") if done.returncode == 0 else None
