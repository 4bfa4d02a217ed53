"""Unit: which tests have to notice."""

import subprocess
from pathlib import Path

import pytest

from tests.mutants.rooms import ROOMS, command_for, nearest_tests, room_of
from tests.mutants.run import all_mutants
from tests.project import PROJECT_DIR


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_has_code_and_its_own_unit_tests(room: str) -> None:
    assert any((PROJECT_DIR / room).rglob("*.py"))
    tests = list((PROJECT_DIR / "tests" / room).rglob("test_*.py"))
    assert any("pytestmark = pytest.mark.rehearsal" not in file.read_text() for file in tests)


def test_a_file_of_no_room_is_refused() -> None:
    assert room_of("rehearsal/providers/gcp/cloud.py") == "rehearsal/providers"
    with pytest.raises(ValueError, match=r"components/team\.py is in none of the rooms"):
        room_of("components/team.py")


@pytest.mark.parametrize(
    ("path", "tests"),
    [
        ("daskfleet/access/redaction/keys.py", "tests/daskfleet/access/redaction/test_keys.py"),
        ("rehearsal/providers/gcp/check.py", "tests/rehearsal/providers/gcp/test_check.py"),
        ("rehearsal/providers/gcp/resource.py", "tests/rehearsal/providers/gcp"),
        ("rehearsal/providers/install.py", "tests/rehearsal/providers/test_install.py"),
        ("policies/declared.py", "tests/policies"),
    ],
)
def test_the_tests_of_the_file_come_first_else_those_of_its_folder(path: str, tests: str) -> None:
    assert nearest_tests(path, PROJECT_DIR) == tests


@pytest.mark.parametrize(
    ("first", "then", "is_noticed"),
    [(0, 0, False), (1, 0, True), (0, 1, True), (5, 0, False), (5, 1, True)],
)
def test_a_mistake_is_noticed_if_any_test_fails_and_not_if_a_file_has_none(
    tmp_path: Path, first: int, then: int, *, is_noticed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest_of_files = tmp_path / "python"
    pytest_of_files.write_text(
        f'#!/bin/sh\ncase "$*" in *test_keys.py) exit {first} ;; *) exit {then} ;; esac\n'
    )
    pytest_of_files.chmod(0o755)
    monkeypatch.setattr("sys.executable", str(pytest_of_files))

    command = command_for("daskfleet/access/redaction/keys.py", PROJECT_DIR)

    run = subprocess.run(command, shell=True, check=False)  # noqa: S602 - written by the function
    assert (run.returncode != 0) is is_noticed


def test_only_files_of_the_project_are_mutated() -> None:
    paths = {mutant.path for mutant in all_mutants(["policies"])}

    assert "policies/__main__.py" in paths
    assert not [path for path in paths if ".venv" in path]
