"""One fleet with every optional feature, for all tests of this package."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from rehearsal.stage.teardown import end_rehearsal
from rehearsal.toolchain import Binaries
from tests.rehearsal.end_to_end.conftest import DASK_READY_TIMEOUT_S
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal

SHOWCASE = Path("stacks") / "Pulumi.showcase.yaml"


@pytest.fixture(scope="package")
def showcase(
    binaries: Binaries, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningRehearsal]:
    """A stage with the showcase up and Dask's pods as processes; tests leave it as declared.

    In the end `pulumi destroy` must take all of it away.
    """
    del binaries
    running = RunningRehearsal(tmp_path_factory.mktemp("showcase"), dask="run", stack_file=SHOWCASE)
    for entry in running.base["daskfleet:teams"]:
        entry["ready_timeout_s"] = DASK_READY_TIMEOUT_S
    running.up()
    yield running
    running.run("destroy", "--yes", "--skip-preview")
    assert running.google_resources() == running.resources_before
    end_rehearsal(running.workspace, report=print)
