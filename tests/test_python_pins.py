"""The pins can be installed with every Python that the project says it takes; unit tier."""

import tomllib
from collections.abc import Iterator
from importlib import metadata
from itertools import takewhile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from tests.project import PROJECT_DIR

DEBIANS = "3.11.2"
"""The Python of Debian 12, a 3.11 of February 2023. Some packages ask for a later 3.11."""

WISHES = [*PROJECT_DIR.glob("requirements*.in"), PROJECT_DIR / "policies" / "requirements.in"]


def read(file: Path) -> Iterator[tuple[Requirement, list[str]]]:
    """Give each package that a file asks for, and the hashes that it may have."""
    lines = [line.partition("#")[0].strip(" \\") for line in file.read_text("utf-8").splitlines()]
    for place, line in enumerate(lines):
        if line and not line.startswith("-"):
            hashes = takewhile(lambda each: each.startswith("--hash="), lines[place + 1 :])
            yield Requirement(line), [*hashes]


def pinned(file: Path) -> dict[str, str]:
    """Give what a file pins here, by canonical name."""
    return {
        canonicalize_name(each.name): str(each.specifier).removeprefix("==")
        for each, _ in read(file)
        if each.marker is None or each.marker.evaluate()
    }


@pytest.mark.parametrize("package", pinned(PROJECT_DIR / "requirements-dev.txt"))
def test_a_pinned_package_takes_the_python_of_debian(package: str) -> None:
    asked = metadata.metadata(package).get_all("Requires-Python", [])
    assert SpecifierSet(",".join(asked)).contains(DEBIANS)


def test_the_python_of_debian_is_one_that_the_project_takes() -> None:
    project = tomllib.loads((PROJECT_DIR / "pyproject.toml").read_text("utf-8"))["project"]
    assert SpecifierSet(project["requires-python"]).contains(DEBIANS)


@pytest.mark.parametrize("file", WISHES, ids=lambda file: file.name)
def test_what_is_asked_for_is_locked_with_hashes(file: Path) -> None:
    wanted, lock = pinned(file), file.with_suffix(".txt")

    assert wanted
    assert wanted.items() <= pinned(lock).items(), "run `make lock`"
    assert all(hashes for _, hashes in read(lock))


def test_what_is_locked_twice_has_one_version() -> None:
    dev = pinned(PROJECT_DIR / "requirements-dev.txt")
    for file in ("requirements.txt", "requirements-rehearsal.txt"):
        assert pinned(PROJECT_DIR / file).items() <= dev.items()


def test_what_builds_the_checkout_is_locked_too() -> None:
    build = tomllib.loads((PROJECT_DIR / "pyproject.toml").read_text("utf-8"))["build-system"]
    (name, version), *others = (each.split("==") for each in build["requires"])
    assert others == []
    assert pinned(PROJECT_DIR / "requirements-dev.txt")[name] == version
