"""What tests of the pages need."""

import os

import pytest

from tests.axe import AxeError, axe


@pytest.fixture(scope="session")
def judge() -> str:
    """axe-core; where it cannot be had, tests that need it are skipped, but not in CI."""
    try:
        return axe()
    except AxeError as error:
        if "CI" in os.environ:
            raise
        pytest.skip(str(error))
