"""One rehearsal for the whole session: setting it up is most of the cost."""

from collections.abc import Iterator

import pytest

from rehearsal.stage.teardown import end_rehearsal
from rehearsal.toolchain import Binaries
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal


@pytest.fixture(scope="session")
def rehearsal(
    binaries: Binaries, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningRehearsal]:
    """A stage with the engine ready to work; nothing is up yet."""
    del binaries  # built with visible progress before the stage is timed
    running = RunningRehearsal(tmp_path_factory.mktemp("rehearsal"))
    yield running
    end_rehearsal(running.workspace, report=print)


@pytest.fixture
def fleet(rehearsal: RunningRehearsal) -> RunningRehearsal:
    """The same stage with the fleet up, exactly as the settings declare it."""
    rehearsal.inject()
    rehearsal.ensure_as_declared()
    return rehearsal
