"""A fresh GitHub for each test, and waits that are recorded instead of waited."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest

from daskfleet.platform.review.github.connection import Connection, connect
from daskfleet.platform.review.github.patience import Patience
from tests.daskfleet.platform.review.github.server import GitHub, running_github
from tests.daskfleet.platform.review.github.state import REPOSITORY


@dataclass
class Waits:
    """What was waited and said."""

    seconds: list[float] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    time: float = 1_800_000_000.0

    def sleep(self, seconds: float) -> None:
        """Let the time pass."""
        self.seconds.append(seconds)
        self.time += seconds


@pytest.fixture
def github() -> Iterator[GitHub]:
    with running_github() as server:
        yield server


@pytest.fixture
def waits() -> Waits:
    return Waits()


@pytest.fixture
def connected(github: GitHub, waits: Waits) -> Callable[[], Connection]:
    """Connect anew, as each command does."""

    def connected() -> Connection:
        patience = Patience(waits.said.append, sleep=waits.sleep, now=lambda: waits.time)
        return connect(REPOSITORY, github.environment(), patience, seconds_between_writes=0)

    return connected


@pytest.fixture
def connection(connected: Callable[[], Connection]) -> Connection:
    return connected()
