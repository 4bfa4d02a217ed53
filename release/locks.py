"""What the locks of this repository name: Python packages and Go modules, each with its hash."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

GO_REQUIREMENT = re.compile(r"^(?:require |\t)(?P<path>\S+) (?P<version>v\S+)", re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class PythonPackage:
    """A package that may be installed, and nothing but these files of it."""

    name: str
    version: str
    marker: str | None
    """Where it is installed, as in PEP 508; everywhere when there is none."""

    sha256: tuple[str, ...]
    """Of each of its files."""


@dataclass(frozen=True, kw_only=True, order=True)
class GoModule:
    """A module that a binary of the rehearsal is built from."""

    path: str
    version: str
    h1: str | None
    """Go's hash of its files, from ``go.sum``; none where only its ``go.mod`` is needed."""


def python_packages(lock: Path) -> Iterator[PythonPackage]:
    """Read a file that ``uv pip compile --generate-hashes`` wrote.

    Raises:
        ValueError: a package has no hash, or another version than one.
    """
    for entry in lock.read_text("utf-8").replace("\\\n", " ").splitlines():
        text = entry.partition(" #")[0].strip()
        if not text or text.startswith("#"):
            continue
        asked, *hashes = text.split(" --hash=")
        requirement = Requirement(asked.strip())
        (version,) = requirement.specifier
        sha256 = tuple(each.strip().removeprefix("sha256:") for each in hashes)
        if version.operator != "==" or not sha256:
            raise ValueError(f"{lock.name}: {asked} is not locked. Next step: run `make lock`.")
        yield PythonPackage(
            name=canonicalize_name(requirement.name),
            version=version.version,
            marker=str(requirement.marker) if requirement.marker else None,
            sha256=sha256,
        )


def python_names(wishes: Path) -> set[str]:
    """Give the packages that a ``requirements.in`` asks for itself."""
    lines = (line.partition("#")[0].strip() for line in wishes.read_text("utf-8").splitlines())
    asked = (Requirement(line) for line in lines if line and not line.startswith("-"))
    return {canonicalize_name(each.name) for each in asked}


def go_modules(module: Path) -> Iterator[GoModule]:
    """Read ``go.mod`` and ``go.sum`` of a folder."""
    sums = dict(_sums(module / "go.sum"))
    for match in GO_REQUIREMENT.finditer((module / "go.mod").read_text("utf-8")):
        path, version = match["path"], match["version"]
        yield GoModule(path=path, version=version, h1=sums.get((path, version)))


def _sums(file: Path) -> Iterator[tuple[tuple[str, str], str]]:
    for line in file.read_text("utf-8").splitlines():
        path, version, h1 = line.split()
        yield (path, version), h1
