"""Every text of an error on the page is one that the code has; unit tier."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import distributed
import pytest

from tests.project import PROJECT_DIR

PAGE = (PROJECT_DIR / "docs" / "errors.md").read_text("utf-8")
ROW = re.compile(r"^\| `(?P<text>[^`]+)` \| (?P<why>.*) \| (?P<todo>.*) \|$", re.MULTILINE)
OURS = ("daskfleet", "components", "rehearsal")
DASKS = Path(distributed.__file__).parent
WHERE_DASK_SAYS_IT = ("client.py", "scheduler.py", "versions.py")


@cache
def texts() -> str:
    """Every string of the code."""
    files = [file for room in OURS for file in (PROJECT_DIR / room).rglob("*.py")]
    files += [DASKS / name for name in WHERE_DASK_SAYS_IT]
    return "\n".join(each for file in files for each in _strings(file))


def _strings(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield " ".join(node.value.split()) + " "


@pytest.mark.parametrize("row", [*ROW.finditer(PAGE)], ids=lambda row: row["text"][:40])
def test_the_code_says_it_and_the_page_says_what_to_do(row: re.Match[str]) -> None:
    assert row["text"] in texts()
    assert row["why"]
    assert row["todo"]


def test_the_page_has_the_errors_that_a_member_meets() -> None:
    lines = [line for line in PAGE.splitlines() if line.startswith("| `")]
    assert len(lines) == len([*ROW.finditer(PAGE)]) > 25
