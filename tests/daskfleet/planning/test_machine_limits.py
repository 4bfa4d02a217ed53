"""Unit: what single machine types and GPUs ask of a fleet is refused or said beforehand."""

from typing import Any

from daskfleet.settings.problems import StackRefusedError
from tests.daskfleet.planning.documents import Document, minimal, planned, refused

RTX: Document = {
    "name": "rtx",
    "machine_type": "g4-standard-48",
    "accelerator": "nvidia-rtx-pro-6000",
    "gpus_per_node": 1,
}
GB200: Document = {
    "name": "gb200",
    "machine_type": "a4x-highgpu-4g",
    "accelerator": "nvidia-gb200",
    "gpus_per_node": 4,
}
OLD_DRIVER: Document = {"install": "daemonset", "version": "550.90.07"}


def keys(error: StackRefusedError) -> list[str]:
    return [problem.key for problem in error.problems]


def with_home(**jupyter: Any) -> list[Document]:
    team = {"name": "alpha", "workers": 1, "jupyter": {"worker_pool": "rtx", **jupyter}}
    return [team]


def test_a_gpu_whose_zones_no_source_names_is_taken_in_its_regions_and_that_is_said() -> None:
    plan = planned(minimal(worker_pools=[{**RTX, "node_count": 2}]))

    assert any(
        "no source names the zones that have nvidia-rtx-pro-6000" in text for text in plan.warnings
    )
    assert not any("no source names the zones" in text for text in planned(minimal()).warnings)


def test_it_is_refused_elsewhere_with_the_zones_that_may_have_it() -> None:
    error = refused(minimal(location="europe-west6-b", worker_pools=[RTX]))
    (problem,) = (each for each in error.problems if each.key == "location")

    assert "no nvidia-rtx-pro-6000" in problem.reason
    assert "us-central1-a" in problem.allowed


def test_grace_blackwell_is_refused_with_the_reason() -> None:
    error = refused(minimal(worker_pools=[GB200]))

    (problem,) = (each for each in error.problems if each.key == "worker_pools[0].machine_type")
    assert "Arm" in problem.reason


def test_a_driver_that_does_not_know_the_gpu_is_refused() -> None:
    document = minimal(worker_pools=[RTX], driver=OLD_DRIVER)
    error = refused(document)
    (problem,) = (each for each in error.problems if each.key == "worker_pools[0].accelerator")

    assert "driver branch 575 or newer" in problem.reason
    assert "branch 550" in problem.reason


def test_a_home_moves_only_onto_a_machine_that_takes_its_disk() -> None:
    two = {**RTX, "machine_type": "g4-standard-96", "gpus_per_node": 2}
    on_gke_class, on_own_class = (
        minimal(worker_pools=[two], teams=with_home(storage_class=name))
        for name in ("standard-rwo", "own")
    )

    assert keys(refused(on_gke_class)) == ["teams[0].jupyter.worker_pool"]
    planned(on_own_class)
