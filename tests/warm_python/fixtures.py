"""Pytest plugin: engines that tests start find a Python that is warm, unless a test wants another.

``sys.executable`` is what the product starts its Pythons with, and whose directory it puts on the
engine's PATH; so that is all that is exchanged.
"""

import contextlib
import sys
from collections.abc import Iterator

import pytest

from tests.warm_python.launch import warm_python

REAL_PYTHON = sys.executable


@pytest.fixture(scope="session", autouse=True)
def _warm_python(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """Keep one warm while there are tests that run the engine."""
    if not any(item.get_closest_marker("rehearsal") for item in request.session.items):
        yield
        return
    with warm_python(tmp_path_factory.mktemp("warm")) as python:
        sys.executable = str(python)
        try:
            yield
        finally:
            sys.executable = REAL_PYTHON


@contextlib.contextmanager
def cold_python() -> Iterator[None]:
    """Let what is started and set up in the block start every Python from nothing, as users do."""
    warm = sys.executable
    sys.executable = REAL_PYTHON
    try:
        yield
    finally:
        sys.executable = warm
