"""Tests that look at pages: without a Chromium they are skipped, and in CI nothing runs."""

import os
from collections.abc import Mapping, Sequence

import pytest

from tests.chromium import NAMES, chromium_on_path

FILE = "test_in_browser.py"
"""Whose tests these are, in any room."""

MISSING = f"There is no Chromium on PATH: {', '.join(NAMES)}."
REMEDY = "`.ci/prepare` installs one as root on Debian and Ubuntu; unset CI to skip these tests."


def pytest_collection_finish(session: pytest.Session) -> None:
    """Skip them, or stop before the first test."""
    if chromium_on_path() is None:
        if not hasattr(session.config, "workerinput"):
            stop_in_ci([item.nodeid for item in session.items], os.environ)
        for item in session.items:
            if looks_at_pages(item.nodeid):
                item.add_marker(pytest.mark.skip(reason=MISSING))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(ids: Sequence[str]) -> None:
    """Stop before the first test, where workers of `-n` have collected them."""
    if chromium_on_path() is None:
        stop_in_ci(ids, os.environ)


def stop_in_ci(ids: Sequence[str], environment: Mapping[str, str]) -> None:
    """Let nothing run if a test that would be skipped could pass for one that has run.

    Raises:
        UsageError: it could.

    """
    looking = sum(looks_at_pages(each) for each in ids)
    if looking and "CI" in environment:
        raise pytest.UsageError(f"{MISSING} {looking} tests look at pages. {REMEDY}")


def looks_at_pages(test: str) -> bool:
    """Tell it by the test's id."""
    return test.partition("::")[0].endswith(f"/{FILE}")
