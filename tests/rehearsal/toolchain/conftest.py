"""What the tests of the toolchain share."""

from collections.abc import Iterator

import pytest

from tests.rehearsal.toolchain.mirror import Mirror, serving


@pytest.fixture
def mirror() -> Iterator[Mirror]:
    """A server of official files."""
    with serving() as mirror:
        yield mirror
