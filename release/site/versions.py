"""The site of several versions: the checkout at its root, and each tag of a version below it.

``docs/.venv/bin/python -m release.site.versions FOLDER`` builds it: what is at a tag is built by
the configuration at that tag, and every page has links to the other versions (decision 0061).
"""

import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

NEXT = "main"
"""What the checkout is called among the versions."""

VARIABLE = "DASKFLEET_SITE"
"""Of the version that is built, and all others: ``v0.2.0 main v0.2.0 v0.1.0``."""

TAG = re.compile(r"v(\d+)\.(\d+)\.(\d+)")
BUILD_S = 600
GIT = shutil.which("git") or "git"


def versions_among(tags: Iterable[str]) -> tuple[str, ...]:
    """Give the checkout's name and those of releases, the newest first."""
    releases = {
        tag: tuple(map(int, found.groups())) for tag in tags if (found := TAG.fullmatch(tag))
    }
    return (NEXT, *sorted(releases, key=releases.__getitem__, reverse=True))


def shown_in(environment: Mapping[str, str]) -> dict[str, object]:
    """Say what pages show of versions: nothing, where only one is built."""
    here, *names = environment.get(VARIABLE, NEXT).split()
    return {
        "version_here": here,
        "versions": [(name, "" if name == NEXT else f"{name}/") for name in names],
        "to_root": "" if here == NEXT else "../",
    }


def build(root: Path, folder: Path) -> tuple[str, ...]:
    """Build the site of a repository; say which versions it has."""
    with_site = [tag for tag in _tags(root) if _has_site(root, tag)]
    names = versions_among(with_site)
    _build(root, folder, NEXT, names)
    for name in names[1:]:
        with TemporaryDirectory() as scratch:
            archive = _git(root, "archive", "--format=tar", name)
            with tarfile.open(fileobj=io.BytesIO(archive)) as files:
                files.extractall(scratch, filter="data")
            _build(Path(scratch), folder / name, name, names)
    return names


def _tags(root: Path) -> list[str]:
    """Those of the checkout's own history: what is at a tag runs here, and may write any page.

    Who may push a tag need not be who may merge.
    """
    return _git(root, "tag", "--merged", "HEAD", "--list", "v*").decode().split()


def _has_site(root: Path, tag: str) -> bool:
    return bool(_git(root, "ls-tree", tag, "release/site/versions.py"))


def _git(root: Path, *words: str) -> bytes:
    return subprocess.run([GIT, *words], cwd=root, check=True, capture_output=True).stdout


def _build(root: Path, folder: Path, name: str, names: Sequence[str]) -> None:
    with TemporaryDirectory() as trees:
        subprocess.run(
            [
                *(sys.executable, "-m", "sphinx", "--quiet", "--fresh-env", "--fail-on-warning"),
                *("--nitpicky", "--jobs=auto", f"--conf-dir={root / 'release/site'}"),
                *(f"--doctree-dir={trees}", str(root), str(folder)),
            ],
            cwd=root,
            env={**os.environ, "PYTHONPATH": str(root), VARIABLE: " ".join((name, *names))},
            check=True,
            timeout=BUILD_S,
        )


if __name__ == "__main__":
    if not sys.argv[1:]:
        sys.exit(__doc__)
    print(*build(Path.cwd(), Path(sys.argv[1]).resolve()))  # noqa: T201 - this is a command
