"""Unit: what `.ci/release` runs, and that it leaves nothing behind of a tag that is no release."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.project import PROJECT_DIR

URL = "https://github.com/example/daskfleet"
NOTES = '#!/bin/sh\necho "${0##*/} $*" >> "$CALLS"\n'


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with the script, and commands that only note how they were called."""
    for name in (".ci/release", "make", ".venv/bin/python"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(NOTES)
        (tmp_path / name).chmod(0o755)
    (tmp_path / ".ci/release").write_bytes((PROJECT_DIR / ".ci/release").read_bytes())
    return tmp_path


def run(folder: Path) -> int:
    environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
    environment["CALLS"] = str(folder / "calls")
    script = [str(folder / ".ci/release"), "v1.2.0", URL]
    return subprocess.run(script, cwd="/", env=environment, check=False).returncode


def test_it_cuts_the_notes_first_and_builds_into_an_empty_folder(checkout: Path) -> None:
    (checkout / "dist").mkdir()
    (checkout / "dist/daskfleet-1.1.0.tar.gz").touch()

    assert run(checkout) == 0
    assert (checkout / "calls").read_text().splitlines() == [
        "make setup",
        f"python -m release.notes v1.2.0 {URL}/blob/v1.2.0",
        "make dist sbom",
    ]
    assert [path.name for path in (checkout / "dist").iterdir()] == ["notes.md"]


def test_nothing_is_built_of_a_tag_that_is_no_release(checkout: Path) -> None:
    (checkout / ".venv/bin/python").write_text("#!/bin/sh\nexit 1\n")

    assert run(checkout) == 1
    assert "make dist" not in (checkout / "calls").read_text()
