"""Tests that look at pages, where there is nothing to look with; unit tier."""

import pytest

from tests.tiers.browser import looks_at_pages, stop_in_ci

LOOKS = "tests/daskfleet/platform/report/test_in_browser.py::test_it_fits[a::b]"
OTHER = "tests/daskfleet/platform/report/test_page.py::test_in_browser.py"


def test_in_ci_nothing_runs_and_the_sentence_says_what_to_do() -> None:
    with pytest.raises(pytest.UsageError) as stopped:
        stop_in_ci([OTHER, LOOKS], {"CI": "true"})
    assert "There is no Chromium on PATH: chromium, " in str(stopped.value)
    assert "1 tests look at pages" in str(stopped.value)
    assert ".ci/prepare" in str(stopped.value)


def test_elsewhere_and_without_such_tests_the_others_run() -> None:
    stop_in_ci([OTHER, LOOKS], {})
    stop_in_ci([OTHER], {"CI": "true"})


def test_they_are_known_by_their_file() -> None:
    assert looks_at_pages(LOOKS)
    assert not looks_at_pages(OTHER)
