"""Unit: wheel and sdist of one commit are the same bytes, whoever builds them, when and where."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from release.project import project
from tests.project import PROJECT_DIR

MAKEFILE = (PROJECT_DIR / "Makefile").read_text("utf-8")


def built(folder: Path, *, umask: int, mtime: int) -> dict[str, str]:
    """Build a copy of the project, as `make dist` does; give the hash of each file."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"],  # noqa: S607
        cwd=PROJECT_DIR,
        capture_output=True,
        text=True,
        check=True,
    )
    before = os.umask(umask)
    try:
        for name in listed.stdout.split("\0"):
            if name and (PROJECT_DIR / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(PROJECT_DIR / name, folder / name)
                os.utime(folder / name, (mtime, mtime))
        subprocess.run(
            [sys.executable, "-m", "hatchling", "build", "--directory", "dist"],
            cwd=folder,
            env={**os.environ, "SOURCE_DATE_EPOCH": "1795000000", "TZ": f"UTC{mtime % 12}"},
            capture_output=True,
            check=True,
        )
    finally:
        os.umask(before)
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in (folder / "dist").iterdir()
    }


def test_two_builds_are_the_same_bytes(tmp_path: Path) -> None:
    one = built(tmp_path / "one", umask=0o022, mtime=1_700_000_000)
    two = built(tmp_path / "elsewhere" / "two", umask=0o077, mtime=1_760_000_001)
    version = project().version

    assert one == two
    assert one.keys() == {f"daskfleet-{version}-py3-none-any.whl", f"daskfleet-{version}.tar.gz"}


@pytest.mark.parametrize(
    ("target", "command"),
    [("dist", "-m hatchling build --directory dist"), ("sbom", "-m release.sbom dist")],
)
def test_a_target_runs_it_at_the_time_of_the_commit(target: str, command: str) -> None:
    epoch = "dist sbom: export SOURCE_DATE_EPOCH = $(shell git log -1 --format=%ct)"

    assert epoch in MAKEFILE.splitlines()
    assert re.search(rf"^{target}: setup .*\n\t\$\(BIN\)/python {command}$", MAKEFILE, re.MULTILINE)
