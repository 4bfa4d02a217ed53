"""End to end: a fleet that is up is saved, changed, and brought back as it was."""

import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from rehearsal.errors import RehearsalError
from rehearsal.report.fleet_state import Pod
from rehearsal.stage.teardown import end_rehearsal
from rehearsal.toolchain import Binaries
from tests.rehearsal.end_to_end.kubectl import kubectl
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal, team
from tests.tiers.long_files import LONG

pytestmark = LONG

NAME = "as-declared"
TEAM = "climate"


@dataclass(frozen=True, kw_only=True)
class Saved:
    """A fleet as it was when it was saved, and where that is."""

    fleet: RunningRehearsal
    snapshot: Path
    google: dict[str, Any]
    pods: dict[str, Pod]


@pytest.fixture(scope="module")
def saved(binaries: Binaries, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Saved]:
    """A stage of this module alone, with Dask's pods as processes, up and saved."""
    del binaries
    running = RunningRehearsal(tmp_path_factory.mktemp("saved"), dask="run")
    running.up()
    google, pods = running.google_resources(), running.dask_pods(TEAM)
    yield Saved(fleet=running, snapshot=running.save(NAME), google=google, pods=pods)
    end_rehearsal(running.workspace, report=print)


def test_what_was_saved_runs_on_and_is_its_owners_alone(saved: Saved) -> None:
    assert_as_saved(saved, saved.fleet)
    assert stat.S_IMODE(saved.snapshot.stat().st_mode) == 0o700
    assert stat.S_IMODE((saved.snapshot / "at-rest.json").stat().st_mode) == 0o600


def test_what_happened_since_is_undone_and_an_up_finds_nothing_to_do(saved: Saved) -> None:
    fleet = saved.fleet
    settings = fleet.settings()
    settings["daskfleet:teams"] = [team(settings, "genomics")]
    settings["daskfleet:long_lived"] = False
    fleet.up(settings)
    assert fleet.dask_pods(TEAM) == {}

    fleet.restore(NAME)
    assert_as_saved(saved, fleet)
    assert fleet.up().changed == 0
    assert_as_saved(saved, fleet)


def test_what_was_saved_comes_back_from_nothing(saved: Saved) -> None:
    end_rehearsal(saved.fleet.workspace, report=print)
    saved.fleet.restore(NAME)
    assert_as_saved(saved, saved.fleet)


def test_another_directory_begins_with_it_once_the_first_has_ended(
    saved: Saved, tmp_path: Path
) -> None:
    with pytest.raises(RehearsalError, match=r"Port \d+ of 127.0.0.1 is taken"):
        RunningRehearsal(tmp_path, dask="run", begins_with=saved.snapshot)
    assert_as_saved(saved, saved.fleet)

    end_rehearsal(saved.fleet.workspace, report=print)
    second = RunningRehearsal(tmp_path, dask="run", begins_with=saved.snapshot)
    try:
        second.base = saved.fleet.base
        assert_as_saved(saved, second)
        assert second.up().changed == 0
    finally:
        end_rehearsal(second.workspace, report=print)


def assert_as_saved(saved: Saved, fleet: RunningRehearsal) -> None:
    """Google's resources and the team's pods are those that were saved, and can be reached."""
    assert fleet.google_resources() == saved.google
    pods = fleet.dask_pods(TEAM)
    assert {(pod.uid, pod.node, pod.ip) for pod in pods.values()} == {
        (pod.uid, pod.node, pod.ip) for pod in saved.pods.values()
    }
    assert all(pod.is_ready for pod in pods.values())
    (scheduler,) = (pod.name for pod in pods.values() if pod.role == "scheduler")
    said = kubectl(fleet, "--namespace", TEAM, "logs", scheduler)
    # Of this run of the process: its own log, not the one from before it was saved.
    assert said.count("Scheduler at:") == 1
