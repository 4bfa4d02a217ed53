"""What the end-to-end tests of rehearsed changes share."""

import tempfile
from pathlib import Path

import pytest

from rehearsal.toolchain import Binaries
from tests.daskfleet.platform.review.rehearsal_run.rehearsed_project import RehearsedProject
from tests.rehearsal.conftest import binaries

__all__ = ["binaries"]


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where private folders are made."""
    made = tmp_path / "private"
    made.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(made))
    return made


@pytest.fixture
def project(binaries: Binaries, tmp_path: Path, folders: Path) -> RehearsedProject:
    del binaries, folders
    return RehearsedProject(tmp_path / "project")
