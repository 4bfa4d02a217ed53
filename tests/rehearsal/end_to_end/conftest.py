"""One rehearsal for the whole session: setting it up is most of the cost."""

from collections.abc import Iterator

import pytest

from rehearsal.stage.teardown import end_rehearsal
from rehearsal.toolchain import Binaries
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal

DASK_READY_TIMEOUT_S = 120
"""Real processes start here, on whatever cores are free."""


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


@pytest.fixture(scope="module")
def dask_fleet(
    binaries: Binaries, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningRehearsal]:
    """A stage of one module alone, with the fleet up and Dask's pods as processes."""
    del binaries
    running = RunningRehearsal(tmp_path_factory.mktemp("real-dask"), dask="run")
    for entry in running.base["daskfleet:teams"]:
        entry["ready_timeout_s"] = DASK_READY_TIMEOUT_S
    running.up()
    yield running
    end_rehearsal(running.workspace, report=print)
