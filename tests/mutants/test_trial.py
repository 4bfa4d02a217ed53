"""Unit: mistakes are made in a copy, and the tests of the room judge them."""

import subprocess
import time
from pathlib import Path

import pytest

from tests.mutants.equivalents import Key, key_of_mutant
from tests.mutants.mutations import mutants_of, mutated
from tests.mutants.trial import FailingAnywayError, Tried, tried

SOURCE = "def is_small(number):\n    return number < 10\n"
FILE = "daskfleet/platform/drift/size.py"
IMPORT = "from daskfleet.platform.drift.size import is_small"


def project(folder: Path, test: str) -> Path:
    """Write a project of one function and one test."""
    for name, text in ((FILE, SOURCE), ("tests/daskfleet/platform/drift/test_size.py", test)):
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text(text)
    for package in list(Path(FILE).parents)[:-1]:
        (folder / package / "__init__.py").touch()
    (folder / "pytest.ini").write_text("[pytest]\npythonpath = .\n")
    init = ["git", "init", "--quiet"]
    subprocess.run(init, cwd=folder, check=True)
    return folder


def bounds(folder: Path, *, equivalents: set[Key]) -> list[Tried]:
    """Try what can become of the comparison."""
    mutants = [each for each in mutants_of(FILE, SOURCE) if each.operator != "NumberReplacer"]
    until = time.monotonic() + 600
    return list(tried(mutants, folder, equivalents=equivalents, until=until))


@pytest.mark.soak(every=3)
def test_what_a_test_notices_is_killed_and_the_project_stays_as_it_is(tmp_path: Path) -> None:
    test = f"{IMPORT}\ndef test_ten(): assert not is_small(10)\n"
    folder = project(tmp_path, test)

    (result,) = bounds(folder, equivalents=set())

    assert result.killed
    assert (folder / FILE).read_text() == SOURCE


@pytest.mark.soak(every=3)
def test_what_none_notices_survives_with_its_diff_unless_it_is_known(tmp_path: Path) -> None:
    test = f"{IMPORT}\ndef test_one(): assert is_small(1)\n"
    folder = project(tmp_path, test)

    (result,) = bounds(folder, equivalents=set())

    assert not result.killed
    assert "-    return number < 10\n+    return number <= 10" in result.diff
    assert bounds(folder, equivalents={result.key}) == []


@pytest.mark.soak(every=3)
def test_tests_that_fail_anyway_notice_nothing(tmp_path: Path) -> None:
    folder = project(tmp_path, "def test_never(): assert False\n")

    with pytest.raises(
        FailingAnywayError, match="tests/daskfleet/platform/drift fails without any mutant"
    ):
        bounds(folder, equivalents=set())


def test_a_key_is_of_the_change_and_not_of_the_line(tmp_path: Path) -> None:
    del tmp_path
    moved = f"\n\n{SOURCE}"
    keys = [
        {
            key_of_mutant(each, source, text)
            for each in mutants_of(FILE, source)
            if (text := mutated(each, source))
        }
        for source in (SOURCE, moved)
    ]

    assert keys[0] == keys[1]
