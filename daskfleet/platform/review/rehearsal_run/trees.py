"""The files of a revision, in a private folder.

Written from ``git archive`` and not as git's own worktrees: those are registered in the user's
repository, and stay registered when the rehearsal is killed.
"""

import shutil
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

from daskfleet.access.interrupts import uninterrupted
from daskfleet.platform.review.rehearsal_run.git import git, git_bytes
from daskfleet.platform.review.rehearsal_run.revisions import Revision


def write_tree(revision: Revision, directory: Path, *, project_dir: Path) -> Path:
    """Write the project's files as they are at a revision into a new directory; return it.

    Of a working tree: what is tracked and what is new, less what git ignores.

    Raises:
        RevisionError: git refused.
    """
    directory.mkdir(parents=True)
    if revision.is_working_tree:
        _copy_working_tree(project_dir, directory)
    else:
        # In a subdirectory of the repository, git writes that subdirectory only.
        archive = git_bytes(project_dir, "archive", "--format=tar", revision.commit)
        with tarfile.open(fileobj=BytesIO(archive)) as files:
            files.extractall(directory, filter="data")
    return directory


def _copy_working_tree(project_dir: Path, directory: Path) -> None:
    listed = git(
        project_dir, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"
    )
    for name in filter(None, listed.split("\0")):
        source, target = project_dir / name, directory / name
        if source.is_symlink() or source.is_file():  # else: deleted, or a repository of its own
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target, follow_symlinks=False)


@contextmanager
def private_folder() -> Iterator[Path]:
    """A folder that only its owner can read, gone when the block ends, however it ends."""
    folder = Path(tempfile.mkdtemp(prefix="daskfleet-review-"))
    try:
        yield folder
    finally:
        with uninterrupted(lambda: None):
            shutil.rmtree(folder, ignore_errors=True)
