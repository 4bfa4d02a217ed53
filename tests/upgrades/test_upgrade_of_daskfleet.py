"""End to end: today's program on what each release has left.

The program of the release runs with today's engine, providers and Python packages: what is upgraded
here is daskfleet, not its pins.
"""

from collections.abc import Iterator
from contextlib import nullcontext

import pytest

from rehearsal.report.fleet_state import Pod
from rehearsal.stage.teardown import end_rehearsal
from rehearsal.toolchain import Binaries
from tests.project import PROJECT_DIR
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal
from tests.upgrades.planned_changes import planned_changes
from tests.upgrades.releases import Release, check_out, releases
from tests.warm_python.fixtures import cold_python

pytestmark = pytest.mark.rehearsal

TEAMS = ("climate", "genomics")


@pytest.fixture(params=releases(), ids=lambda release: release.version, scope="module")
def release(request: pytest.FixtureRequest) -> Release:
    """Each release in turn."""
    listed: Release = request.param
    return listed


@pytest.fixture(scope="module")
def fleet_of_release(
    release: Release, binaries: Binaries, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningRehearsal]:
    """The fleet as the release brings it up, from its own stack file; today's program is next.

    The last release's is brought up and upgraded by a Python that starts as a user's does.
    """
    del binaries
    directory = tmp_path_factory.mktemp(release.version)
    with cold_python() if release == releases()[-1] else nullcontext():
        running = RunningRehearsal(directory, project_dir=check_out(release, directory))
        try:
            running.up()
            running.move_to(PROJECT_DIR)
            yield running
        finally:
            end_rehearsal(running.workspace, report=print)


def test_the_upgrade_loses_nothing_and_every_change_is_explained(
    release: Release, fleet_of_release: RunningRehearsal
) -> None:
    fleet_of_release.run("preview")
    changes = planned_changes(fleet_of_release.event_log("preview"))

    assert [change for change in changes if change.loses_something_precious] == []
    unexplained = [
        change for change in changes if not any(each.explains(change) for each in release.changes)
    ]
    assert unexplained == []
    outdated = [
        each for each in release.changes if not any(each.explains(change) for change in changes)
    ]
    assert outdated == []


def test_pods_go_on_unless_the_release_says_why_not_and_a_second_up_is_silent(
    release: Release, fleet_of_release: RunningRehearsal
) -> None:
    before = pods(fleet_of_release)
    fleet_of_release.up()
    after = pods(fleet_of_release)
    if release.restarts_pods is None:
        assert after.keys() == before.keys()
    else:
        assert after.keys() != before.keys()
        assert len(after) == len(before)
        assert all(pod.is_ready for pod in after.values())
    assert fleet_of_release.up().changed == 0


def pods(fleet: RunningRehearsal) -> dict[str, Pod]:
    """The Dask pods of all teams by UID."""
    return {uid: pod for team in TEAMS for uid, pod in fleet.dask_pods(team).items()}
