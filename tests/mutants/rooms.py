"""Which code is mutated, and which tests have to notice."""

import shlex
import sys
from pathlib import Path

ROOMS = (
    "daskfleet/access/redaction",
    "daskfleet/planning",
    "daskfleet/platform/drift",
    "daskfleet/platform/review",
    "in_cluster",
    "policies",
    "rehearsal/emulator",
    "rehearsal/providers",
)
"""What decides, and what the rehearsal judges by."""

UNIT_TESTS = "not rehearsal and not soak"
"""Of a room's own tests: a mistake should not take a control plane to notice."""

NO_TESTS = 5
"""Exit status of pytest where a file has none of them."""


def room_of(path: str) -> str:
    """Name the room that a source file belongs to.

    Raises ValueError for a file of none.
    """
    for room in ROOMS:
        if Path(path).is_relative_to(room):
            return room
    raise ValueError(f"{path} is in none of the rooms that are mutated: {', '.join(ROOMS)}")


def nearest_tests(path: str, project: Path) -> str:
    """Name the tests that are likeliest to notice: of the file, of its folder or of its room."""
    source, room = Path(path), Path(room_of(path))
    own = Path("tests") / source.parent / f"test_{source.name}"
    folders = [Path("tests") / parent for parent in source.parents if parent.is_relative_to(room)]
    return str(next(each for each in (own, *folders) if (project / each).exists()))


def pytest_of(tests: str) -> list[str]:
    """Return the command that runs tests until the first one fails."""
    options = ["-q", "-x", "--no-header", "--tb=line", "-m", UNIT_TESTS]
    return [sys.executable, "-m", "pytest", *options, tests]


def command_for(path: str, project: Path) -> str:
    """Return the command that fails if any unit test of the room does, the nearest ones first."""
    room = f"tests/{room_of(path)}"
    nearest = nearest_tests(path, project)
    whole = shlex.join(pytest_of(room))
    if nearest == room:
        return whole
    first = shlex.join(pytest_of(nearest))
    return shlex.join(["sh", "-c", f"{{ {first} || test $? -eq {NO_TESTS}; }} && {whole}"])
