"""What git says has changed; unit tier."""

import subprocess
from pathlib import Path

import pytest

from tests.changed.changes import NoRepositoryError, changes

AUTHOR = ("-c", "user.name=x", "-c", "user.email=x@example.com")


def git(directory: Path, *arguments: str) -> None:
    command = ["git", *AUTHOR, *arguments]
    subprocess.run(command, cwd=directory, check=True, capture_output=True)


@pytest.fixture
def branch(tmp_path: Path) -> Path:
    """A branch with one commit that main has not."""
    git(tmp_path, "init", "-q", "-b", "main")
    for name in ("kept", "edited", "gone", "committed", "moved"):
        (tmp_path / name).write_text(f"{name}\n" * 9)
    (tmp_path / ".gitignore").write_text("ignored\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "x")
    git(tmp_path, "switch", "-qc", "branch")
    (tmp_path / "committed").write_text("more")
    git(tmp_path, "commit", "-qam", "y")
    return tmp_path


def test_commits_of_the_branch_edits_and_new_files_count(branch: Path) -> None:
    (branch / "edited").write_text("more")
    (branch / "gone").unlink()
    (branch / "a new one").touch()
    (branch / "ignored").touch()
    git(branch, "mv", "moved", "elsewhere")
    found = changes(branch)
    assert found.present == {"committed", "edited", "a new one", "elsewhere"}
    assert found.gone == {"gone", "moved"}
    assert found.since.endswith("where this branch left main")


def test_what_main_got_since_is_not_the_branchs(branch: Path) -> None:
    git(branch, "switch", "-q", "main")
    (branch / "kept").write_text("more")
    git(branch, "commit", "-qam", "z")
    assert changes(branch).present == set()
    git(branch, "switch", "-q", "branch")
    assert changes(branch).present == {"committed"}


def test_without_a_main_the_last_commit_is_compared_with(branch: Path) -> None:
    git(branch, "branch", "-qD", "main")
    assert changes(branch).present == set()
    (branch / "kept").write_text("more")
    found = changes(branch)
    assert found.present == {"kept"}
    assert found.since.endswith("the last commit")


def test_outside_of_git_nobody_knows(tmp_path: Path) -> None:
    with pytest.raises(NoRepositoryError):
        changes(tmp_path)
