"""Unit: the package asks for what it imports, in ranges that hold the versions that are tried."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.project import PROJECT_DIR
from tests.test_python_pins import pinned

PACKAGE = PROJECT_DIR / "daskfleet"
OF_MEMBERS = ("team", "client", "access", "contract", "catalog", "stack_text")
BESIDE_DASK = {"dask", "distributed"}
"""Whichever the member has; the message of ``NoDistributedError`` says which to install."""

IN_THE_TEAMS_IMAGE = {"numba", "cupy", "cudf", "pynvml"}
"""Where verify's probe runs, which asks whether they are there."""

OF_THE_CHECKOUT = {"components", "manifests", "policies", "rehearsal", "in_cluster", "daskfleet"}
ONLY_IN_THE_PLATFORMS = {"state_lock.py"}
"""Of access: who holds Pulumi's lock."""


@cache
def project() -> dict[str, Any]:
    document = tomllib.loads((PROJECT_DIR / "pyproject.toml").read_text("utf-8"))
    found: dict[str, Any] = document["project"]
    return found


def declared() -> dict[str, list[Requirement]]:
    return {
        "base": [*map(Requirement, project()["dependencies"])],
        **{
            part: [*map(Requirement, asked)]
            for part, asked in project()["optional-dependencies"].items()
        },
    }


def names(part: str) -> set[str]:
    return {canonicalize_name(each.name) for each in declared()[part]}


def imported(files: Iterator[Path]) -> set[str]:
    """Distributions that the files import, wherever in them."""
    modules: set[str] = set()
    for file in files:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                modules |= {each.name for each in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                modules.add(node.module)
    tops = {each.partition(".")[0] for each in modules}
    found = (
        tops
        - sys.stdlib_module_names
        - {"_typeshed"}
        - OF_THE_CHECKOUT
        - BESIDE_DASK
        - IN_THE_TEAMS_IMAGE
    )
    google = {"google-auth"} if "google" in found else set()
    known = packages_distributions()
    return google | {canonicalize_name(known[each][0]) for each in found - {"google"}}


def of_members() -> Iterator[Path]:
    yield from PACKAGE.glob("*.py")
    for room in OF_MEMBERS:
        for file in (PACKAGE / room).rglob("*.py"):
            if file.name not in ONLY_IN_THE_PLATFORMS:
                yield file


def test_members_are_asked_for_what_their_code_imports_and_no_more() -> None:
    assert imported(of_members()) == names("base")


def test_platform_engineers_are_asked_for_the_rest() -> None:
    implied = {"pydantic-core", "tzdata"}  # pydantic's own part; what zoneinfo reads
    rest = imported(PACKAGE.rglob("*.py")) - names("base") - implied
    assert rest == names("platform") - implied


def test_the_program_asks_for_what_it_imports() -> None:
    rooms = (PROJECT_DIR / room for room in ("components", "manifests"))
    planned = (PACKAGE / room for room in ("planning", "settings", "catalog"))
    files = (file for room in (*rooms, *planned) for file in room.rglob("*.py"))
    implied = {"pydantic-core", "tzdata"}
    assert imported(files) - implied <= names("program")


def test_the_program_runs_with_the_versions_that_are_tried() -> None:
    asked = {each.name: str(each.specifier) for each in declared()["program"]}
    lines = (PROJECT_DIR / "requirements.in").read_text("utf-8").splitlines()
    pins = {each.name: str(each.specifier) for each in map(Requirement, filter(is_asked, lines))}
    assert asked == pins


def is_asked(line: str) -> bool:
    return bool(line) and not line.startswith("#")


@pytest.mark.parametrize("part", ["base", "platform"])
def test_what_is_tried_is_in_the_ranges_and_none_is_one_version(part: str) -> None:
    pins = pinned(PROJECT_DIR / "requirements-dev.txt")
    for asked in declared()[part]:
        assert asked.specifier.contains(pins[canonicalize_name(asked.name)]), asked
        assert not re.search(r"==|~=", str(asked.specifier)), asked


def test_dask_is_the_members_own() -> None:
    assert BESIDE_DASK & set().union(*map(names, declared())) == set()
