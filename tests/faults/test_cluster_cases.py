"""Soak tier: the cases inside the cluster, on a whole rehearsal that lives through all of them."""

from collections.abc import Iterator, Mapping

import pytest

from rehearsal.engine.events import ResourceEvent
from rehearsal.stage.teardown import end_rehearsal
from rehearsal.toolchain import Binaries
from tests.faults.cluster_cases import STEPS_OF_A_TEAM, ClusterCase, cluster_catalogue
from tests.faults.cluster_stage import ClusterStage, Fleet, Picture
from tests.faults.results import Result, current_commit, ending_after, is_done, keep
from tests.faults.run_cluster_case import run_cluster_case
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal

pytestmark = [pytest.mark.rehearsal, pytest.mark.soak(files=10)]


@pytest.fixture(scope="module")
def cluster_stage(
    binaries: Binaries, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ClusterStage]:
    """A rehearsal of its own: its cases leave nothing, but they are hard on it."""
    rehearsal = RunningRehearsal(tmp_path_factory.mktemp("cluster-faults"))
    yield ClusterStage(rehearsal, binaries=binaries)
    end_rehearsal(rehearsal.workspace, report=print)


@pytest.fixture(scope="module")
def clean_clusters(cluster_stage: ClusterStage) -> Mapping[Fleet, Picture]:
    """Where runs without trouble lead."""
    pictures: dict[Fleet, Picture] = {}
    fleets: tuple[Fleet, ...] = ("three teams", "two teams")
    for fleet in fleets:
        cluster_stage.bring_to(fleet)
        pictures[fleet] = cluster_stage.picture()
    return pictures


def test_the_catalogue_names_every_step_of_a_team(
    cluster_stage: ClusterStage, clean_clusters: Mapping[Fleet, Picture]
) -> None:
    del clean_clusters  # so that everything but the third team is there
    cluster_stage.bring_to("two teams")
    seen: set[str] = set()

    def look(event: ResourceEvent) -> bool:
        if event.is_work and event.operation == "create":
            seen.add(event.name)
        return False

    cluster_stage.up_until("three teams", look, lambda _: None)
    assert seen == set(STEPS_OF_A_TEAM)


@pytest.mark.parametrize("case", [pytest.param(case, id=case.id) for case in cluster_catalogue()])
def test_at_most_two_commands_lead_on(
    case: ClusterCase, cluster_stage: ClusterStage, clean_clusters: Mapping[Fleet, Picture]
) -> None:
    commit = current_commit()
    if is_done(case.id, commit=commit):
        pytest.skip(f"passed on {commit} before")
    about = {"case": case.id, "family": case.family, "commit": commit}
    try:
        needed = run_cluster_case(cluster_stage, case, clean_clusters)
    except BaseException as error:
        keep(Result(**about, ending="failed", reason=str(error)[-2000:]))
        cluster_stage.begin_anew()
        raise
    keep(Result(**about, ending=ending_after(needed)))
