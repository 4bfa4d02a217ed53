"""Other Pythons: virtual environments that are made once and kept in the user's cache."""

import hashlib
import os
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

from rehearsal.locking import exclusive
from tests.pythons import pythons

CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "daskfleet" / "pythons"
OLDER_DISTRIBUTED = "2026.7.1"
"""A release that another image may have; this project's own is newer."""

SHARED = ("dask", "distributed", "msgpack", "cloudpickle", "numpy", "pandas")


def own_versions() -> dict[str, str]:
    """The versions that clients, schedulers and workers of this project's environment have."""
    return {name: metadata.version(name) for name in SHARED}


def environment(python: Path, packages: dict[str, str]) -> Path:
    """Return a Python of a virtual environment with exactly these versions."""
    pins = sorted(f"{name}=={version}" for name, version in packages.items())
    digest = hashlib.sha256("\n".join([str(python), *pins]).encode()).hexdigest()[:12]
    directory = CACHE / digest
    made = directory / "bin" / "python"
    with exclusive(directory.with_suffix(".lock"), subject=str(directory), progress=print):
        if not (directory / "complete").exists():
            shutil.rmtree(directory, ignore_errors=True)
            subprocess.run([str(python), "-m", "venv", str(directory)], check=True)
            install = (str(made), "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
            subprocess.run([*install, *pins], check=True)
            (directory / "complete").touch()
    return made


def another_python() -> Path | None:
    """Return an interpreter of another version that can make virtual environments, if there is."""
    own = sys.version_info[:3]
    return next((python for python, version in pythons() if version != own), None)
