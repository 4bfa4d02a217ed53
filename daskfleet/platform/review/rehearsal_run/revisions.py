"""Which two states of the repository are compared: ``BASE..HEAD`` as git spells it."""

import re
from dataclasses import dataclass
from pathlib import Path

from daskfleet.platform.review.rehearsal_run.errors import RevisionError
from daskfleet.platform.review.rehearsal_run.git import git

SHOWN = 12
"""Digits of a commit that people see."""


@dataclass(frozen=True, kw_only=True)
class Revision:
    """One state of the repository."""

    commit: str
    """The commit; for a working tree the one that it was changed from."""

    is_working_tree: bool = False
    """Whether the files are taken as they lie there, not yet committed."""

    def __str__(self) -> str:
        """As people read it."""
        short = self.commit[:SHOWN]
        return f"{short} with uncommitted changes" if self.is_working_tree else short


@dataclass(frozen=True, kw_only=True)
class Revisions:
    """Where a change begins and ends."""

    base: Revision
    head: Revision


def read_revisions(text: str, project_dir: Path) -> Revisions:
    """The two states that ``text`` names.

    ``A..B`` compares A with B; ``A...B`` begins where B left A, as a pull request does. Without a
    B it ends with the working tree.

    Raises:
        RevisionError: it names no commits that this clone has.
    """
    match = re.fullmatch(r"(?P<base>(?:(?!\.\.).)+)(?P<dots>\.\.\.?)?(?P<head>.*)", text.strip())
    if match is None or match["head"].startswith(".") or ".." in match["head"]:
        raise RevisionError(
            f"{text!r} does not name two commits. Write BASE..HEAD or BASE...HEAD, for example "
            "main...my-branch; without HEAD it is the working tree."
        )
    head = match["head"]
    base = _commit(match["base"], project_dir)
    until = _commit(head or "HEAD", project_dir)
    if match["dots"] == "...":
        base = _merge_base(base, until, project_dir)
    is_changed = not head and bool(_status(project_dir))
    return Revisions(
        base=Revision(commit=base), head=Revision(commit=until, is_working_tree=is_changed)
    )


def _status(project_dir: Path) -> str:
    # Else git would note in its index what it found.
    return git(project_dir, "--no-optional-locks", "status", "--porcelain", "--", ".").strip()


def _commit(name: str, project_dir: Path) -> str:
    try:
        found = git(
            project_dir,
            "rev-parse",
            "--verify",
            "--quiet",
            "--end-of-options",
            f"{name}^{{commit}}",
        )
    except RevisionError as error:
        raise RevisionError(
            f"{name} is not a commit of this clone. Fetch it: `git fetch origin {name}`, in a "
            "workflow fetch-depth: 0 of actions/checkout."
        ) from error
    return found.strip()


def _merge_base(base: str, head: str, project_dir: Path) -> str:
    try:
        return git(project_dir, "merge-base", base, head).strip()
    except RevisionError as error:
        raise RevisionError(
            f"{base[:SHOWN]} and {head[:SHOWN]} have no common ancestor in this clone. Fetch the "
            "history: `git fetch --unshallow`, in a workflow fetch-depth: 0."
        ) from error
