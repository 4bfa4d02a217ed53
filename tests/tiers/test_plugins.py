"""The plugins in pytest itself, on a project of two files; unit tier."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project import PROJECT_DIR

CONFTEST = 'pytest_plugins = ("tests.tiers.selection", "tests.tiers.recording")\n'
INI = """
[pytest]
addopts = -p no:cacheprovider -p no:anyio -p no:asyncio -p no:hypothesispytest
markers =
    soak(every=10): long
"""
SOAKED = """
import pytest
@pytest.mark.soak
@pytest.mark.parametrize("case", range(40))
def test_case(case): pass
def test_short(): pass
"""
OTHER = "def test_other(): pass\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with forty soak cases and two other tests."""
    contents = {
        "conftest.py": CONFTEST,
        "pytest.ini": INI,
        "test_soaked.py": SOAKED,
        "test_other.py": OTHER,
    }
    for name, text in contents.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def run(project: Path, *options: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--verbose", *options],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(PROJECT_DIR)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


def taken(said: str) -> set[str]:
    return {word for word in said.split() if word.startswith("test_") and "::" in word}


def test_a_turn_says_how_to_take_the_same_cases_again_with_any_number_of_workers(
    project: Path,
) -> None:
    alone = run(project, "--soak=turn")
    assert "soak: cases of commit 0 (outside of git); --soak=0 takes them again" in alone
    again = taken(run(project, "--soak=0", "-n", "2", "--dist", "loadfile"))
    assert taken(alone) == again
    assert {"test_other.py::test_other", "test_soaked.py::test_short"} <= again
    assert 4 < len(again) < 15
    assert "slowest of 2 files" in alone
    assert "1 tests  test_other.py" in alone


def test_soak_cases_run_only_when_asked_for(project: Path) -> None:
    assert "2 passed" in run(project)
    assert "40 passed" in run(project, "-m", "soak")


def test_a_shard_is_a_part_of_the_files(project: Path) -> None:
    parts = [taken(run(project, f"--shard={number}/2")) for number in (1, 2)]
    assert parts == [{"test_other.py::test_other"}, {"test_soaked.py::test_short"}]


@pytest.mark.parametrize("option", ["--soak=some", "--shard=3/2"])
def test_what_cannot_be_taken_is_refused_before_anything_runs(project: Path, option: str) -> None:
    said = run(project, option)
    assert said.startswith("ERROR: --s")
    assert "passed" not in said


def test_a_failure_is_named_before_the_end(project: Path) -> None:
    (project / "test_failing.py").write_text("def test_no(): assert 1 == 2, 'not so'\n")
    for options in ((), ("-n", "2", "--dist", "loadfile")):
        said, _, _ = run(project, *options).partition("= FAILURES =")
        assert "0 min: call of test_failing.py::test_no failed:" in said
        assert "AssertionError: not so" in said
