"""Unit: driver, CUDA and GPU agree."""

from policies.software_fits import RULE
from tests.policies.fleets import DASK, INSTALLER, SCHEDULER_POOL, WORKER_POOL, Fleet, recorded

SCHEDULER_IMAGE = ("spec", "scheduler", "spec", "containers", 0, "image")
WORKER_IMAGE = ("spec", "worker", "spec", "containers", 0, "image")
CUDA_13 = "nvcr.io/nvidia/rapidsai/base:26.10-cuda13-py3.13"
GPU = ("nodeConfig", "guestAccelerators", 0)
INSTALLED = ("spec", "template", "spec", "initContainers", 0, "env", 0, "value")


def test_an_image_for_a_newer_driver_is_named_with_the_pool(fleet: Fleet) -> None:
    old = fleet.with_value(INSTALLER, *INSTALLED, value="535.230.02")
    ((name, message),) = old.with_value(DASK, *WORKER_IMAGE, value=CUDA_13).violations(RULE)

    assert name == DASK
    assert "has CUDA 13, which needs driver branch 580; pool a100 has branch 535" in message


def test_a_gpu_that_is_too_old_is_named_where_the_pods_go(fleet: Fleet) -> None:
    old = fleet.with_value(SCHEDULER_POOL, *GPU, "type", value="nvidia-tesla-p4")
    messages = dict(old.violations(RULE))

    assert messages.keys() == {DASK, "beta-dask-cluster"}
    assert "nvidia-tesla-p4 of pool scheduler-pool has less" in messages[DASK]
    assert "of the scheduler" in messages[DASK]


def test_a_pool_to_which_no_driver_comes_is_named(fleet: Fleet) -> None:
    messages = [message for _, message in fleet.without(INSTALLER).violations(RULE)]

    assert any("Pool a100 of the worker leaves the driver" in message for message in messages)


def test_gkes_own_driver_counts_as_the_branch_of_its_channel(fleet: Fleet) -> None:
    channel = ("gpuDriverInstallationConfig", "gpuDriverVersion")
    by_gke = fleet.without(INSTALLER)
    for pool in (SCHEDULER_POOL, WORKER_POOL):
        by_gke = by_gke.with_value(pool, *GPU, *channel, value="DEFAULT")

    assert by_gke.names(RULE) == []
    newer = by_gke.with_value(DASK, *WORKER_IMAGE, value=CUDA_13)
    assert newer.names(RULE) == [DASK]
    assert newer.with_value(WORKER_POOL, *GPU, *channel, value="LATEST").names(RULE) == []


def test_an_image_whose_tag_says_nothing_is_judged_by_what_the_settings_say() -> None:
    image = {"ref": f"my.registry/team@sha256:{'0' * 64}", "rapids": "26.10", "cuda": 13}
    fleet = recorded(teams=[{"name": "alpha", "image": image}])

    assert fleet.names(RULE) == []
    old = fleet.with_value(INSTALLER, *INSTALLED, value="570.1.1")
    assert old.names(RULE) == [DASK, DASK]


def test_an_image_of_which_nothing_is_said_is_not_guessed_at(fleet: Fleet) -> None:
    old = fleet.with_value(INSTALLER, *INSTALLED, value="470.1.1")
    unknown = old.with_value(DASK, *WORKER_IMAGE, value="my.registry/other:1")

    assert "worker" not in dict(unknown.violations(RULE))[DASK]
