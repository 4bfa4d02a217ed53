"""Unit: the mutants that are known to change nothing."""

from pathlib import Path

from tests.mutants.equivalents import Equivalent, key_of, known, matching_nothing
from tests.project import PROJECT_DIR

SOURCE = "def f(a):\n    return a < 1.5\n"
ENTRY = Equivalent(
    file="daskfleet/platform/drift/f.py",
    function="f",
    before="return a < 1.5",
    after="return a <= 1.5",
    reason="a is a whole number",
)


def written(project: Path, source: str) -> Path:
    """Write the file that the entry is about."""
    file = project / ENTRY.file
    file.parent.mkdir(parents=True)
    file.write_text(source)
    return project


def test_every_entry_is_still_about_something() -> None:
    assert matching_nothing(known(), PROJECT_DIR) == []


def test_every_entry_has_a_reason_and_none_is_there_twice() -> None:
    assert all(entry.reason for entry in known())
    assert len({key_of(entry) for entry in known()}) == len(known())


def test_an_entry_outlives_a_move_within_its_file(tmp_path: Path) -> None:
    assert matching_nothing([ENTRY], written(tmp_path, f"import os\n\n\n{SOURCE}")) == []


def test_an_entry_does_not_outlive_what_it_is_about(tmp_path: Path) -> None:
    changed = written(tmp_path, SOURCE.replace("def f", "def g"))

    assert matching_nothing([ENTRY], changed) == [ENTRY]
    assert matching_nothing([ENTRY], tmp_path / "elsewhere") == [ENTRY]
