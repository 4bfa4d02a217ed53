"""End to end: what a team asks for reaches its pods, and nobody else's."""

import pytest

from rehearsal.engine.engine import EngineFailedError
from tests.rehearsal.end_to_end.objects import gpus_taken, names
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal, team, work
from tests.rehearsal.kr8s_client import connect_blocking

pytestmark = pytest.mark.rehearsal

OTHER_IMAGE = "nvcr.io/nvidia/rapidsai/base:26.08-cuda12-py3.13"


def test_scaling_up_adds_a_worker_and_scaling_down_retires_it(fleet: RunningRehearsal) -> None:
    before = fleet.dask_pods("climate")
    settings = fleet.settings()
    team(settings, "climate")["workers"] = 3
    outcome = fleet.up(settings)
    after = fleet.dask_pods("climate")
    # The DaskCluster, the team's quota, and what its members are told.
    assert work(outcome) == {"update": 3}
    assert before.keys() < after.keys()
    (added,) = (pod for uid, pod in after.items() if uid not in before)
    assert added.role == "worker"
    assert added.is_ready

    fleet.up()
    assert fleet.dask_pods("climate").keys() == before.keys()


def test_a_new_image_is_on_all_pods_of_its_team_and_no_pod_of_another(
    fleet: RunningRehearsal,
) -> None:
    old, bystanders = fleet.dask_pods("genomics"), fleet.dask_pods("climate")
    settings = fleet.settings()
    team(settings, "genomics")["image"] = OTHER_IMAGE
    fleet.up(settings)
    new = fleet.dask_pods("genomics")
    assert {pod.images for pod in new.values()} == {(OTHER_IMAGE,)}
    assert all(pod.is_ready for pod in new.values())
    assert sorted(pod.role for pod in new.values()) == ["scheduler", "worker"]
    assert not old.keys() & new.keys()
    assert fleet.dask_pods("climate").keys() == bystanders.keys()


def test_a_team_that_is_removed_leaves_nothing_behind(fleet: RunningRehearsal) -> None:
    bystanders = fleet.dask_pods("climate")
    settings = fleet.settings()
    settings["daskfleet:teams"].remove(team(settings, "genomics"))
    fleet.up(settings)
    api = connect_blocking(fleet.cluster.kubeconfig)
    assert "genomics" not in names(api, "namespaces")
    assert names(api, "daskclusters.kubernetes.dask.org") == ["climate"]
    assert fleet.dask_pods("genomics") == {}
    assert fleet.dask_pods("climate").keys() == bystanders.keys()


def test_up_fails_and_names_the_pod_that_finds_no_gpu_and_why(fleet: RunningRehearsal) -> None:
    bystanders = fleet.dask_pods("genomics")
    settings = fleet.settings()
    team(settings, "climate").update(workers=3, ready_timeout_s=10)
    with gpus_taken(fleet, "a100-fixed", count=2):
        with pytest.raises(EngineFailedError):
            fleet.up(settings)
        (pending,) = (pod for pod in fleet.dask_pods("climate").values() if not pod.is_ready)
    assert pending.phase == "Pending"
    assert pending.name in fleet.said
    assert "Insufficient nvidia.com/gpu" in fleet.said
    assert fleet.dask_pods("genomics").keys() == bystanders.keys()

    fleet.up(settings)
    assert all(pod.is_ready for pod in fleet.dask_pods("climate").values())
