"""Pure: what docs/operator-tests.md says of each test, and what a run says of it."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.project import PROJECT_DIR

PAGE = PROJECT_DIR / "docs" / "operator-tests.md"
_ROW = re.compile(r"^\| `(?P<test>test_\S+)` \| (?P<result>passes|fails|sometimes|skipped) \|")

Results = Mapping[str, str]
"""Name of a test to ``passes``, ``fails`` or ``skipped``; on the page ``sometimes`` too."""


def told(page: str) -> Results:
    """Read the page's table; of a test with parameters it has one row."""
    rows = (_ROW.match(line) for line in page.splitlines())
    return {row["test"]: row["result"] for row in rows if row}


def seen(report: Path) -> Results:
    """Read pytest's report in JUnit's form; a test passes where it does with all parameters."""
    results: dict[str, str] = {}
    for case in ET.parse(report).iter("testcase"):  # noqa: S314  (pytest has just written it)
        name = str(case.get("name")).partition("[")[0]
        kinds = {child.tag for child in case}
        result = "fails" if kinds & {"failure", "error"} else "passes"
        result = "skipped" if "skipped" in kinds else result
        results[name] = "fails" if "fails" in (result, results.get(name)) else result
    return results


def failed_of(results: Results) -> list[str]:
    """Return the names of those that fail."""
    return [test for test, result in results.items() if result == "fails"]


def differences(page: Results, run: Results) -> Iterator[str]:
    """Say in a sentence each what the page has to say otherwise."""
    for test in sorted(page.keys() | run.keys()):
        if test not in page:
            yield f"{test} {run[test]} and is not on the page"
        elif test not in run:
            yield f"{test} is on the page, and upstream has no such test"
        elif page[test] not in ("sometimes", run[test]):
            yield f"{test} is said to be {page[test]!r}, and was {run[test]!r}"
