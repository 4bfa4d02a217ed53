"""The tests of the installed dask-kubernetes, from the source distribution that PyPI has of it."""

import re
import shutil
import subprocess
import sys
import tarfile
from importlib.metadata import version
from pathlib import Path

from tests.project import PROJECT_DIR

NAME = "dask-kubernetes"
PINS = PROJECT_DIR / "requirements-dev.txt"
BUILT_UPSTREAM = "dask-kubernetes:dev"
"""The image that upstream's tests build from Dask's own, which nobody can pull."""


class NoSourceError(Exception):
    """The tests could not be had; the message says why."""


def fetch(directory: Path) -> Path:
    """Download the source of the installed version, by the hash that is pinned for it.

    Raises:
        NoSourceError: PyPI does not answer, or what it has is something else.

    """
    pin = re.search(rf"^{NAME}==.*?(?=\n\S)", PINS.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    if pin is None:
        raise NoSourceError(f"{PINS.name} has no {NAME}.")
    wanted = directory / "wanted.txt"
    wanted.write_text(re.sub(r"\s*#.*", "", pin[0]) + "\n", "utf-8")
    options = ("--quiet", "--no-deps", "--no-binary", NAME, "--require-hashes")
    done = subprocess.run(
        [sys.executable, "-m", "pip", "download", *options, "-r", wanted, "-d", directory],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise NoSourceError(f"pip cannot download the source of {NAME}:\n{done.stderr.strip()}")
    (archive,) = directory.glob("*.tar.gz")
    with tarfile.open(archive) as source:
        source.extractall(directory, filter="data")
    return directory / archive.name.removesuffix(".tar.gz")


def lay_out(source: Path, directory: Path, *, image: str) -> tuple[Path, ...]:
    """Copy the operator's tests without upstream's ``conftest.py``, which makes a kind cluster.

    Args:
        source: an unpacked source distribution or a checkout.
        directory: where the tests are put.
        image: what their pods are said to run.

    Returns:
        The files of tests.

    Raises:
        NoSourceError: there are none in ``source``.

    """
    found = sorted(source.glob("dask_kubernetes/operator/*/tests/test_*.py"))
    if not found:
        raise NoSourceError(f"{source} has no dask_kubernetes/operator/*/tests/test_*.py.")
    for file in found:
        shutil.copy(file, directory)
        for manifest in sorted(file.parent.glob("resources/*.yaml")):
            copy = directory / "resources" / manifest.name
            copy.parent.mkdir(exist_ok=True)
            copy.write_text(manifest.read_text("utf-8").replace(BUILT_UPSTREAM, image), "utf-8")
    return tuple(directory / file.name for file in found)


def installed() -> str:
    """Return the version of dask-kubernetes that is tested."""
    return version(NAME)
