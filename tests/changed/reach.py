"""Which tests a changed file can affect, and why; in doubt, all of them."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from tests.changed.changes import Changes
from tests.changed.code import COMMAND_LINE, Code

OF_EVERYTHING = (
    "pyproject.toml",
    "Pulumi.yaml",
    "Makefile",
    "tests/conftest.py",
    "rehearsal/toolchain/modules/",
    "rehearsal/toolchain/pins.yaml",
)
"""What no test names and all need."""
ROOMS = {".ci": "workflows", ".github": "workflows"}
"""Folders whose tests lie in a room of another name."""
DOCUMENTS = "tests.test_docs"
"""Reads every page that there is, and follows its links."""
PACKAGED = ("daskfleet/", "in_cluster/")
PACKAGE = "tests.package"
"""Whatever is in the wheel, these build and install it."""
SHOWN = (".md", ".png")
"""What people look at. Code that mentions a page does not read it; a test may."""


@dataclass(frozen=True, kw_only=True)
class Reached:
    """The test files that one changed file can affect."""

    path: str
    why: str
    tests: frozenset[str]


def reached(changes: Changes, code: Code) -> list[Reached]:
    """Say for each changed file which tests it can affect.

    A change that reaches no test at all is one that these rules do not know: it gets them all.
    """
    by_file = [_by_file(path, code) for path in sorted(changes.present)]
    by_file += [_by_lost_file(path, code) for path in sorted(changes.gone)]
    if by_file and not any(each.tests for each in by_file):
        return [_everything(each.path, "nothing is known to use it", code) for each in by_file]
    return by_file


def _by_file(path: str, code: Code) -> Reached:
    if _is_of_everything(path):
        return _everything(path, "all tests need it", code)
    module = {file: module for module, file in code.modules.items()}.get(path)
    if module is None:
        return _by_data(path, code)
    changed = code.within(module) if path.endswith("__init__.py") else {module}
    if path == "daskfleet/cli.py":
        changed = {*changed, COMMAND_LINE}
    if path.startswith(PACKAGED):
        changed = {*changed, *code.within(PACKAGE)}
    return Reached(path=path, why="use it", tests=frozenset(code.tests_of(changed)))


def _by_data(path: str, code: Code) -> Reached:
    """Data belongs to the nearest folder with code, and to all that name it."""
    using = code.naming(_name_of(path))
    if path.endswith(SHOWN):
        using = {each for each in using if each.startswith("tests.")} | {DOCUMENTS}
    else:
        using |= _room_of(path, code)
    if path.startswith(PACKAGED):
        using |= code.within(PACKAGE)
    tests = code.tests_of(using)
    if not tests:
        return _everything(path, "nothing is known to read it", code)
    return Reached(path=path, why="name it or belong to its room", tests=frozenset(tests))


def _name_of(path: str) -> str:
    """Give what somebody calls a file: where others have the same name, its path."""
    name = PurePosixPath(path)
    return path if name.stem in {"README", name.name} else name.name


def _by_lost_file(path: str, code: Code) -> Reached:
    if PurePosixPath(path).name.startswith("test_"):
        return Reached(path=path, why="(a file of tests that is gone)", tests=frozenset())
    return _everything(path, "it is gone, and what used it is not known", code)


def _room_of(path: str, code: Code) -> set[str]:
    top = PurePosixPath(path).parts[0]
    if top in ROOMS:
        return code.within(f"tests.{ROOMS[top]}")
    for folder in PurePosixPath(path).parents:
        package = ".".join(folder.parts)
        if package == "tests":
            break
        if package in code.modules:
            return code.within(package)
    return code.within(f"tests.{top}")


def _is_of_everything(path: str) -> bool:
    is_pin = PurePosixPath(path).name.startswith("requirements")
    return is_pin or any(
        path == each or (each.endswith("/") and path.startswith(each)) for each in OF_EVERYTHING
    )


def _everything(path: str, why: str, code: Code) -> Reached:
    return Reached(path=path, why=why, tests=code.tests)


def union(found: Iterable[Reached]) -> set[str]:
    """Give all test files that any of the changes can affect."""
    return {test for each in found for test in each.tests}
