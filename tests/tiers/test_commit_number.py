"""The number that the tenth is chosen by; unit tier."""

import subprocess
from pathlib import Path

import pytest

from tests.tiers.commit_number import commit_number

AUTHOR = ("-c", "user.name=x", "-c", "user.email=x@example.com")


def git(directory: Path, *arguments: str) -> None:
    command = ["git", *AUTHOR, *arguments]
    subprocess.run(command, cwd=directory, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    made = tmp_path / "made"
    made.mkdir()
    git(made, "init", "-q")
    git(made, "commit", "-q", "--allow-empty", "-m", "first")
    git(made, "commit", "-q", "--allow-empty", "-m", "second")
    return made


def test_the_next_commit_has_the_next_number(repository: Path) -> None:
    before = commit_number(repository)
    git(repository, "commit", "-q", "--allow-empty", "-m", "third")
    assert before.number == 2
    assert commit_number(repository).number == 3


def test_a_shallow_clone_takes_the_same_for_the_same_commit(
    repository: Path, tmp_path: Path
) -> None:
    numbers = []
    for name in ("one", "two"):
        git(tmp_path, "clone", "-q", "--depth=1", repository.as_uri(), name)
        found = commit_number(tmp_path / name)
        assert "shallow" in found.source
        numbers.append(found.number)
    assert numbers[0] == numbers[1] > 2


def test_outside_of_git_it_is_the_first_tenth(tmp_path: Path) -> None:
    found = commit_number(tmp_path)
    assert found.number == 0
    assert found.source == "outside of git"


def test_without_git_it_is_the_first_tenth(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    assert commit_number(repository).number == 0
