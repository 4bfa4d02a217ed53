"""Unit: `git add .` takes no file of `connect`, of which each lets somebody in."""

import shutil
import subprocess
from pathlib import Path

import pytest

from daskfleet.team.connect.jupyter import Wanted
from tests.project import PROJECT_DIR

GIT = shutil.which("git") or "git"
BESIDE = Path("fraud.connection.json")
FILES = (
    str(BESIDE),
    "fraud.connection-8786.tls/key.pem",  # with TLS
    str(Wanted().token_file("fraud", beside=BESIDE)),
    str(Wanted(person="alice").token_file("fraud", beside=BESIDE)),
)


@pytest.mark.parametrize("folder", [PROJECT_DIR, PROJECT_DIR / "template"], ids=["own", "template"])
@pytest.mark.parametrize("file", FILES)
def test_what_connect_writes_is_ignored(folder: Path, file: str, tmp_path: Path) -> None:
    subprocess.run([GIT, "init", "--quiet"], cwd=tmp_path, check=True)
    (tmp_path / ".gitignore").write_bytes((folder / ".gitignore").read_bytes())
    asked = subprocess.run([GIT, "check-ignore", "--quiet", file], cwd=tmp_path, check=False)
    assert asked.returncode == 0
