"""Asking git about the repository that the project is in; nothing is written there."""

import subprocess
from pathlib import Path

from daskfleet.platform.review.rehearsal_run.errors import RevisionError


def git(project_dir: Path, *arguments: str) -> str:
    """What a git command prints.

    Raises:
        RevisionError: git is missing, or refused; the message has its words.
    """
    return git_bytes(project_dir, *arguments).decode("utf-8", "surrogateescape")


def git_bytes(project_dir: Path, *arguments: str) -> bytes:
    """The same, as bytes."""
    try:
        done = subprocess.run(
            ["git", *arguments],  # noqa: S607 - whichever git made this clone
            cwd=project_dir,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
    except FileNotFoundError:
        raise RevisionError(
            "There is no `git` on PATH, which is needed to read the commits. Install it."
        ) from None
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip()
        raise RevisionError(f"`git {' '.join(arguments)}` in {project_dir} failed: {said}")
    return done.stdout
