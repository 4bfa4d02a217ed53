"""Unit: the page of known cases names tests that there are, and each case one at least."""

import ast
import re
from pathlib import Path

from tests.project import PROJECT_DIR

PAGE = PROJECT_DIR / "docs" / "threat-model.md"
HEADING = "## Each known case and its test"
NAMED = re.compile(r"`(tests/[\w/]*test_\w+\.py)::(test_\w+)`")


def cases() -> dict[str, list[tuple[str, str]]]:
    """File and name of each case's tests."""
    section = PAGE.read_text("utf-8").partition(f"{HEADING}\n")[2].partition("\n## ")[0]
    rows = [line.split(" | ") for line in section.splitlines() if line.startswith("| ")]
    told = [(case.removeprefix("| "), NAMED.findall(tests)) for case, tests in rows]
    named = {case: tests for case, tests in told if case != "case"}
    assert len(named) == sum(case != "case" for case, _ in told), "a case stands twice"
    return named


def defined_in(file: Path) -> set[str]:
    tree = ast.parse(file.read_text("utf-8"))
    return {
        node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def test_each_known_case_has_a_test_that_exists() -> None:
    known = cases()

    assert len(known) > 80
    assert [case for case, tests in known.items() if not tests] == []
    named = {each for tests in known.values() for each in tests}
    missing = [
        f"{file}::{name}"
        for file, name in sorted(named)
        if not (PROJECT_DIR / file).is_file() or name not in defined_in(PROJECT_DIR / file)
    ]
    assert missing == []


def test_nothing_else_is_named_in_the_list() -> None:
    section = PAGE.read_text("utf-8").partition(f"{HEADING}\n")[2].partition("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| ")]

    assert sum(line.count("::") for line in rows) == sum(len(each) for each in cases().values())
