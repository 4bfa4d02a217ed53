"""``python -m tests.changed [--list] [OPTION OF PYTEST ...]``: run what the change can affect."""

import sys

import pytest

from tests.changed.changes import Changes, NoRepositoryError, changes
from tests.changed.code import Code
from tests.changed.reach import Reached, reached, union
from tests.project import PROJECT_DIR


def main(arguments: list[str]) -> int:
    """Say what is chosen and why, and run it unless only the list is asked for."""
    try:
        found = changes(PROJECT_DIR)
    except NoRepositoryError as error:
        _say(f"{error} `make test` runs everything.")
        return pytest.ExitCode.USAGE_ERROR
    if not found.present | found.gone:
        _say(f"Nothing differs from {found.since}: no test is run.")
        return pytest.ExitCode.OK
    code = Code()
    chosen = reached(found, code)
    for line in told(found, chosen, of=len(code.tests)):
        _say(line)
    if "--list" in arguments:
        return pytest.ExitCode.OK
    return pytest.main([*arguments, *sorted(union(chosen))])


def told(found: Changes, chosen: list[Reached], *, of: int) -> list[str]:
    """Word the choice: each changed file with the tests that it can affect, then all of them."""
    tests = union(chosen)
    lines = [f"Changed since {found.since}:"]
    for each in chosen:
        count = (
            "every file of tests:" if len(each.tests) == of else f"{len(each.tests)} files of tests"
        )
        lines.append(f"  {each.path}: {count} {each.why}")
    lines.append(f"{len(tests)} of {of} files of tests:")
    return [*lines, *([f"  {test}" for test in sorted(tests)] if len(tests) < of else ["  all"])]


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
