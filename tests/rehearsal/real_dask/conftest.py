"""One fleet whose Dask pods are processes, for all tests of this package."""

import json
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from rehearsal.process import ProcessRecord
from rehearsal.stage.teardown import end_rehearsal
from rehearsal.toolchain import Binaries
from tests.rehearsal.end_to_end.as_declared import are_as_declared
from tests.rehearsal.end_to_end.kubectl import kubectl
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal, team
from tests.rehearsal.end_to_end.test_up import names
from tests.rehearsal.end_to_end.waiting import until

SOURCES = ["10.128.0.0/20"]
"""Who may come to the address that climate has in the VPC."""


@pytest.fixture(scope="package")
def dask_fleet(
    binaries: Binaries, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningRehearsal]:
    """A stage with the fleet up and Dask's pods as processes.

    Its end, as `rehearse down` ends it, must leave no process and no file.
    """
    del binaries
    running = RunningRehearsal(tmp_path_factory.mktemp("real-dask"), dask="run")
    access = {"internal_load_balancer": {"source_ranges": SOURCES}}
    team(running.base, "climate")["access"] = access
    running.up()
    yield running
    directory = running.workspace.directory
    before = [ProcessRecord.of(process.pid) for process in processes_of(directory)]
    assert len(before) > 10
    end_rehearsal(running.workspace, report=print)
    assert [process for process in before if process.is_alive] == []
    assert not directory.exists()


@pytest.fixture
def fleet(dask_fleet: RunningRehearsal) -> RunningRehearsal:
    """The fleet, exactly as the settings declare it, with pods that have not started again."""
    dask_fleet.ensure_as_declared()
    for entry in dask_fleet.base["daskfleet:teams"]:
        begin_anew(dask_fleet, entry["name"])
    until(
        lambda: are_as_declared(dask_fleet.see().pods, dask_fleet.base),
        otherwise=lambda: dask_fleet.see().pods,
    )
    return dask_fleet


def begin_anew(fleet: RunningRehearsal, name: str) -> None:
    """Give a team new pods when one has started again: the longer, the longer it waits then."""
    here = ("--namespace", name)
    dask = ("pods", "--selector", "dask.org/component")
    pods = json.loads(kubectl(fleet, *here, "get", *dask, "--output", "json"))["items"]
    containers = [each for pod in pods for each in pod["status"].get("containerStatuses", ())]
    if any(container["restartCount"] for container in containers):
        kubectl(fleet, *here, "delete", *dask)


def processes_of(directory: Path) -> list[psutil.Process]:
    """Processes that name the directory, in their command or as their home."""
    return [
        process
        for process in psutil.process_iter(["cmdline", "environ"])
        if names(process, directory)
        or str(directory) in (process.info["environ"] or {}).get("HOME", "")
    ]
