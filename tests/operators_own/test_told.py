"""Unit: the page of the operator's own tests is compared with what a run has shown."""

from pathlib import Path

import pytest

from tests.operators_own.source import BUILT_UPSTREAM, NoSourceError, lay_out
from tests.operators_own.told import PAGE, differences, seen, told

REPORT = """<testsuites><testsuite>
<testcase name="test_a[one]"/><testcase name="test_a[two]"><failure/></testcase>
<testcase name="test_b"><skipped/></testcase><testcase name="test_c[asyncio]"/>
</testsuite></testsuites>"""


def test_a_test_fails_where_one_of_its_cases_does(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    report.write_text(REPORT)
    assert seen(report) == {"test_a": "fails", "test_b": "skipped", "test_c": "passes"}


def test_each_difference_is_a_sentence() -> None:
    page = told(
        "| `test_a` | passes | |\n| `test_b` | fails | a race |\n| `test_c` | sometimes | |\n"
        "| `test_gone` | passes | |\n| test | result |\n"
    )
    assert list(differences(page, {"test_a": "passes", "test_b": "fails", "test_c": "fails"})) == [
        "test_gone is on the page, and upstream has no such test"
    ]
    assert list(differences({"test_a": "passes"}, {"test_a": "fails", "test_new": "passes"})) == [
        "test_a is said to be 'passes', and was 'fails'",
        "test_new passes and is not on the page",
    ]


def test_the_page_has_every_test_with_a_reason_where_it_does_not_pass() -> None:
    page = PAGE.read_text("utf-8")
    results = told(page)

    assert len(results) > 30
    for line in page.splitlines():
        if line.startswith("| `test_") and " | passes | " not in line:
            assert len(line.split(" | ")[2]) > len("why"), line


def test_upstreams_files_are_taken_without_its_fixtures(tmp_path: Path) -> None:
    of_upstream = tmp_path / "dask_kubernetes/operator/controller/tests"
    (of_upstream / "resources").mkdir(parents=True)
    (of_upstream / "test_one.py").touch()
    (tmp_path / "dask_kubernetes/conftest.py").touch()
    (of_upstream / "resources/simple.yaml").write_text(f"image: {BUILT_UPSTREAM}\n")
    there = tmp_path / "there"
    there.mkdir()

    assert lay_out(tmp_path, there, image="dask:1") == (there / "test_one.py",)
    assert (there / "resources/simple.yaml").read_text() == "image: dask:1\n"
    assert not list(there.rglob("conftest.py"))
    with pytest.raises(NoSourceError, match="has no dask_kubernetes/operator"):
        lay_out(there, there, image="dask:1")
