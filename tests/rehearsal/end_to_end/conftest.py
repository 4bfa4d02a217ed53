"""One rehearsal for the whole session: setting it up is most of the cost.

Nobody puts it back. Whoever needs it in some state says so, and it gets there unless it is there:
so each file passes alone, and after any other one.
"""

from collections.abc import Iterator

import pytest

from rehearsal.stage.teardown import end_rehearsal
from rehearsal.toolchain import Binaries
from tests.rehearsal.end_to_end.as_declared import are_as_declared
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal
from tests.rehearsal.end_to_end.waiting import until


@pytest.fixture(scope="session")
def rehearsal(
    binaries: Binaries, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningRehearsal]:
    """A stage with the engine ready to work; what is up on it, nobody knows."""
    del binaries  # built with visible progress before the stage is timed
    running = RunningRehearsal(tmp_path_factory.mktemp("rehearsal"))
    yield running
    end_rehearsal(running.workspace, report=print)


@pytest.fixture
def fleet(rehearsal: RunningRehearsal) -> RunningRehearsal:
    """The same stage with the fleet up, exactly as the settings declare it."""
    rehearsal.inject()
    rehearsal.ensure_as_declared()
    # Whoever changed pods by hand and did not say so is found here.
    until(
        lambda: are_as_declared(rehearsal.see().pods, rehearsal.base),
        otherwise=lambda: rehearsal.see().pods,
    )
    return rehearsal
