"""The machine of most tests here."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.daskfleet.platform.doctor.examined import Machine, machine


@pytest.fixture
def well(tmp_path: Path) -> Iterator[Machine]:
    """A machine and a project on which `pulumi up` would succeed."""
    with machine(tmp_path) as found:
        yield found
