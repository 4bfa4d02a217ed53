"""The fleet that most rules are asked about; recording it takes a second."""

import pytest

from tests.policies.fleets import Fleet, recorded


@pytest.fixture(scope="session")
def fleet() -> Fleet:
    """What the program declares, on which every rule is silent."""
    return recorded()


@pytest.fixture(scope="session")
def pulling() -> Fleet:
    """The same with pods that pull images."""
    return recorded(image_prepull=True)
