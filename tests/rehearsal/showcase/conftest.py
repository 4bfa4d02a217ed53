"""One fleet with every optional feature, for all tests of this package.

Nobody puts it back: a test that needs it as declared, or otherwise, has it brought there.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from rehearsal.stage.teardown import end_rehearsal
from rehearsal.toolchain import Binaries
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal

SHOWCASE = Path("stacks") / "Pulumi.showcase.yaml"


@pytest.fixture(scope="package")
def showcase_stage(
    binaries: Binaries, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningRehearsal]:
    """A stage with the showcase up and Dask's pods as processes.

    In the end `pulumi destroy` must take all of it away.
    """
    del binaries
    running = RunningRehearsal(tmp_path_factory.mktemp("showcase"), dask="run", stack_file=SHOWCASE)
    running.up()
    yield running
    running.run("destroy", "--yes", "--skip-preview")
    assert running.google_resources() == running.resources_before
    end_rehearsal(running.workspace, report=print)


@pytest.fixture
def showcase(showcase_stage: RunningRehearsal) -> RunningRehearsal:
    """The showcase, exactly as its settings declare it."""
    showcase_stage.ensure_as_declared()
    return showcase_stage
