"""End to end: a blue-green team's cluster is exchanged while the old one goes on serving."""

from pathlib import Path

import pytest

from rehearsal.dask_operator.scheduler_api import AT_WORK
from rehearsal.engine.engine import EngineFailedError
from rehearsal.report.address_watch import unserved_s
from rehearsal.report.requests import (
    Mark,
    google_writes,
    kubernetes_writes,
    lines_since,
)
from rehearsal.up import PROGRAM_USER
from tests.rehearsal.end_to_end.objects import gpus_taken
from tests.rehearsal.end_to_end.rolling_fleet import TEAM, RollingFleet
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal
from tests.rehearsal.end_to_end.shell import typed

pytestmark = pytest.mark.rehearsal

POOL = "a100-fixed"


@pytest.fixture(scope="module")
def rolling(rehearsal: RunningRehearsal) -> RollingFleet:
    """The fleet as declared: with more workers there were no GPUs for a cluster beside theirs."""
    rehearsal.inject()
    rehearsal.ensure_as_declared()
    return RollingFleet(rehearsal)


@pytest.fixture
def fleet(rolling: RollingFleet) -> RollingFleet:
    """One cluster of the team, which rolls blue-green."""
    rolling.settle()
    return rolling


def test_the_old_cluster_serves_until_the_new_one_is_ready_and_only_then_goes(
    fleet: RollingFleet,
) -> None:
    old, (before,) = fleet.pods, fleet.clusters
    bystanders = fleet.running.dask_pods("genomics")
    image, _ = fleet.other_images
    mark = Mark.now(fleet.running.cluster.audit_log)
    with fleet.address_watch() as address:
        fleet.up(image=image)

    new = fleet.pods
    assert {pod.images for pod in new.values()} == {(image,)}
    assert sorted(pod.role for pod in new.values()) == ["scheduler", "worker", "worker"]
    assert not old.keys() & new.keys()
    writes = fleet.writes(mark)
    moved = writes.index(("patch", "services", "dask"))
    # kwok writes a pod's status when it runs and is ready.
    ready = [writes.index(("patch", "pods/status", pod.name)) for pod in new.values()]
    gone = [writes.index(("delete", "pods", pod.name)) for pod in old.values()]
    assert max(ready) < moved < min(gone)
    assert moved < writes.index(("delete", "daskclusters", before))
    assert unserved_s(address.moments[TEAM]) == 0
    assert address.moments[TEAM][0].schedulers != address.moments[TEAM][-1].schedulers
    assert fleet.clusters == {fleet.selected} != {before}
    assert fleet.running.dask_pods("genomics").keys() == bystanders.keys()


def test_a_second_up_is_silent(fleet: RollingFleet) -> None:
    google = Mark.now(fleet.running.workspace.request_log)
    kubernetes = Mark.now(fleet.running.cluster.audit_log)

    assert fleet.up().changed == 0
    assert google_writes(lines_since(google)) == ()
    assert kubernetes_writes(lines_since(kubernetes), user=PROGRAM_USER) == ()


def test_another_number_of_workers_stays_in_place(fleet: RollingFleet) -> None:
    before, (cluster,) = fleet.pods, fleet.clusters

    fleet.up(workers=1)

    assert fleet.clusters == {cluster}
    assert len(fleet.pods) == len(before) - 1
    assert fleet.pods.keys() < before.keys()


@pytest.mark.soak(every=3)
def test_fewer_workers_and_another_image_in_one_up(fleet: RollingFleet) -> None:
    """The quota of two small clusters would refuse the new one beside the large one."""
    (before,) = fleet.clusters
    assert fleet.gpus_allowed == 2 * 3
    image, _ = fleet.other_images
    with fleet.address_watch() as address:
        fleet.up(image=image, workers=1)

    assert {pod.images for pod in fleet.pods.values()} == {(image,)}
    assert sorted(pod.role for pod in fleet.pods.values()) == ["scheduler", "worker"]
    assert fleet.clusters == {fleet.selected} != {before}
    assert unserved_s(address.moments[TEAM]) == 0

    assert fleet.gpus_allowed == 3 + 2
    assert fleet.up(workers=1).changed == 1
    assert fleet.gpus_allowed == 2 * 2
    assert fleet.up(workers=1).changed == 0


def test_a_plan_that_was_saved_lets_a_roll_happen(fleet: RollingFleet, tmp_path: Path) -> None:
    (before,) = fleet.clusters
    image, _ = fleet.other_images
    plan = str(tmp_path / "plan.json")
    fleet.running.configure(fleet.settings(image=image))
    fleet.running.run("preview", "--save-plan", plan)

    fleet.up("--plan", plan, image=image)

    assert fleet.clusters == {fleet.selected} != {before}
    assert {pod.images for pod in fleet.pods.values()} == {(image,)}


def test_the_plan_of_a_review_leaves_room_for_a_roll_to_fewer_workers(
    fleet: RollingFleet, tmp_path: Path
) -> None:
    """The engine's own plan holds the quota to a number that the old cluster does not fit in."""
    image, _ = fleet.other_images
    plan = str(tmp_path / "plan.json")
    with fleet.running.considering(fleet.settings(image=image, workers=1)):
        fleet.running.run("preview", "--save-plan", plan)
    with pytest.raises(EngineFailedError):
        fleet.up("--plan", plan, image=image, workers=1)
    assert "violates plan: properties changed" in fleet.said

    with fleet.running.considering(fleet.settings(image=image, workers=1)):
        reviewed = typed(fleet.running, "daskfleet", "review", "--no-policies", "--save-plan", plan)
        assert reviewed.returncode == 0, reviewed.stderr
    fleet.up("--plan", plan, image=image, workers=1)

    assert fleet.gpus_allowed == 3 + 2
    assert len(fleet.pods) == 2


def test_a_new_cluster_that_cannot_come_up_leaves_the_old_one_serving_and_the_next_up_resumes(
    fleet: RollingFleet,
) -> None:
    old, (before,), (image, _) = fleet.pods, fleet.clusters, fleet.other_images
    with gpus_taken(fleet.running, POOL, count=2), fleet.address_watch() as address:
        with pytest.raises(EngineFailedError):
            fleet.up(image=image, ready_timeout_s=10)
        pending = [pod for pod in fleet.pods.values() if not pod.is_ready]
    assert pending
    assert all(pod.name in fleet.said for pod in pending)
    assert "Insufficient nvidia.com/gpu" in fleet.said
    assert f"DaskCluster {before} goes on serving" in fleet.said
    assert fleet.selected == before
    assert old.keys() < fleet.pods.keys()
    assert unserved_s(address.moments[TEAM]) == 0

    candidate = fleet.pods.keys() - old.keys()
    fleet.up(image=image)
    assert fleet.pods.keys() == candidate
    assert fleet.clusters == {fleet.selected} != {before}


@pytest.mark.soak(every=3)
def test_a_change_that_is_taken_back_after_it_failed_leaves_the_old_pods_alone(
    fleet: RollingFleet,
) -> None:
    old, (before,) = fleet.pods, fleet.clusters
    with gpus_taken(fleet.running, POOL, count=2), pytest.raises(EngineFailedError):
        fleet.up(image=fleet.other_images[0], ready_timeout_s=10)
    assert len(fleet.clusters) == 2

    fleet.up()

    assert fleet.pods.keys() == old.keys()
    assert fleet.clusters == {before} == {fleet.selected}
    assert fleet.up().changed == 0


@pytest.mark.soak(every=3)
def test_another_change_after_one_that_failed_gets_its_gpus(fleet: RollingFleet) -> None:
    old, (before,), (first, second) = fleet.pods, fleet.clusters, fleet.other_images
    with gpus_taken(fleet.running, POOL, count=1), pytest.raises(EngineFailedError):
        fleet.up(image=first, ready_timeout_s=10)
    assert len(fleet.clusters) == 2
    assert fleet.selected == before

    fleet.up(image=second)

    assert {pod.images for pod in fleet.pods.values()} == {(second,)}
    assert not old.keys() & fleet.pods.keys()
    assert fleet.clusters == {fleet.selected}


@pytest.mark.soak(every=3)
def test_the_address_stays_with_an_old_scheduler_until_it_is_idle(fleet: RollingFleet) -> None:
    (before,) = fleet.clusters
    old = fleet.scheduler_service(before)
    old.annotate({AT_WORK: "a test"})
    selected_at_work: list[str] = []

    def finish() -> None:
        ready = [pod for pod in fleet.pods.values() if pod.is_ready]
        if len(ready) == 6 and not selected_at_work:
            selected_at_work.append(fleet.selected)
            old.annotate({AT_WORK: None})

    idle = {"kind": "blue-green", "wait_idle_s": 600}
    fleet.up(image=fleet.other_images[0], rollout=idle, watch=finish)

    assert selected_at_work == [before]
    assert "moves all the same" not in fleet.said
    assert fleet.clusters == {fleet.selected} != {before}


@pytest.mark.soak(every=3)
def test_an_old_scheduler_that_stays_at_work_is_waited_for_no_longer_than_said(
    fleet: RollingFleet,
) -> None:
    (before,) = fleet.clusters
    fleet.scheduler_service(before).annotate({AT_WORK: "a test"})

    idle = {"kind": "blue-green", "wait_idle_s": 3}
    fleet.up(image=fleet.other_images[0], rollout=idle)

    assert f"scheduler of {before} is at work" in fleet.said
    assert fleet.clusters == {fleet.selected} != {before}


@pytest.mark.soak(every=3)
def test_back_to_recreate_the_cluster_is_called_after_the_team_again(fleet: RollingFleet) -> None:
    fleet.up(rollout="recreate")

    assert fleet.clusters == {TEAM} == {fleet.selected}
    assert len(fleet.pods) == 3
    assert all(pod.is_ready for pod in fleet.pods.values())


@pytest.mark.soak(every=3)
def test_destroy_takes_both_clusters_of_a_roll_that_failed(fleet: RollingFleet) -> None:
    with gpus_taken(fleet.running, POOL, count=2), pytest.raises(EngineFailedError):
        fleet.up(image=fleet.other_images[0], ready_timeout_s=10)
    assert len(fleet.clusters) == 2

    fleet.running.run("destroy", "--yes", "--skip-preview")

    assert fleet.running.google_resources() == fleet.running.resources_before
