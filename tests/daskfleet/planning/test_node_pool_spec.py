"""Unit: pools as the settings describe them."""

import pytest

from daskfleet.contract.nodes import GPU_TAINT, SCHEDULER_TAINT, WORKER_TAINT
from daskfleet.planning.node_pool_spec import NodePoolSpec, pool_specs
from tests.components.fleets import fleet

CUDA_12 = {"ref": "registry.example/rapids:1", "rapids": "26.10", "cuda": 12}


def specs(**changes: object) -> dict[str, NodePoolSpec]:
    stack = fleet(**changes).stack
    return {spec.name: spec for spec in pool_specs(stack)}


def test_every_gpu_pool_declares_the_gpu_taint_and_the_system_pool_has_none() -> None:
    pools = specs()

    assert all(GPU_TAINT in pool.taints for pool in pools.values() if pool.gpus)
    assert pools["system"].taints == ()


def test_only_the_scheduler_pool_is_dedicated_to_schedulers() -> None:
    pools = specs()

    assert [name for name, pool in pools.items() if SCHEDULER_TAINT in pool.taints] == [
        "scheduler-pool"
    ]
    assert pools["scheduler-pool"].labels == {"dedicated": "scheduler"}


def test_a_pool_has_a_size_or_bounds_and_never_both() -> None:
    pools = specs(
        worker_pools=[
            {"name": "a100", "node_count": 2},
            {"name": "grows", "autoscaling": {"min_nodes": 0, "max_nodes": 3}},
        ],
        teams=[{"name": "alpha", "worker_pool": "a100"}],
    )

    assert pools["a100"].node_count == 2
    assert pools["a100"].autoscaling is None
    assert pools["grows"].node_count is None
    assert pools["grows"].autoscaling is not None


@pytest.mark.parametrize(
    ("driver", "version"),
    [
        ({"install": "daemonset"}, "INSTALLATION_DISABLED"),
        ({"install": "gke", "channel": "LATEST"}, "LATEST"),
    ],
)
def test_all_gpu_pools_get_their_driver_in_the_same_way(
    driver: dict[str, str], version: str
) -> None:
    pools = specs(driver=driver)

    assert {pool.gpus.driver_version for pool in pools.values() if pool.gpus} == {version}


def test_schedulers_share_a_gpu_and_workers_never_do() -> None:
    pools = specs()

    assert {name: pool.gpus.clients_per_gpu for name, pool in pools.items() if pool.gpus} == {
        "scheduler-pool": 2,
        "a100": 1,
    }


def test_every_gpu_pool_names_its_driver_and_the_system_pool_has_none() -> None:
    pools = specs(driver={"version": "580.95.05"})

    assert {name: pool.sysctls for name, pool in pools.items()} == {
        "system": {},
        "scheduler-pool": {"vm.max_map_count": "580095005"},
        "a100": {"vm.max_map_count": "580095005"},
    }


@pytest.mark.parametrize(
    ("version", "mark"),
    [("580.126.20", 580126020), ("999.999.999", 999999999), ("535.54", 535054000)],
)
def test_the_name_of_a_driver_is_a_limit_that_the_kernel_takes(version: str, mark: int) -> None:
    pool = specs(driver={"version": version}, image=CUDA_12)["a100"]

    assert pool.sysctls == {"vm.max_map_count": str(mark)}
    assert 65536 <= mark <= 2147483647


@pytest.mark.parametrize(
    "driver",
    [
        {"version": "580.95.05", "unmarked_version": "580.95.05"},
        {"install": "gke", "channel": "LATEST"},
    ],
    ids=["a pool of 0.1.0", "GKE installs it"],
)
def test_a_pool_need_not_name_its_driver(driver: dict[str, str]) -> None:
    assert specs(driver=driver)["a100"].sysctls == {}


def test_a_pool_without_gpus_is_kept_free_for_workers_and_knows_no_driver() -> None:
    cpu = {"name": "cpu", "accelerator": "none", "machine_type": "e2-standard-8"}
    pools = specs(
        worker_pools=[{"name": "a100", "node_count": 2}, cpu],
        teams=[{"name": "alpha", "worker_pool": "a100"}],
    )

    assert pools["cpu"].role == "worker"
    assert pools["cpu"].gpus is None
    assert pools["cpu"].taints == (WORKER_TAINT,)
    assert pools["cpu"].sysctls == {}
    assert pools["a100"].taints == (GPU_TAINT,)


def test_divided_and_shared_gpus_are_said_of_their_pool_alone() -> None:
    divided = {"name": "mig", "gpu_partition_size": "3g.20gb", "workers_per_gpu": 2}
    pools = specs(
        driver={"install": "gke", "channel": "DEFAULT"},
        worker_pools=[{"name": "a100", "node_count": 2}, divided],
        teams=[{"name": "alpha", "worker_pool": "a100"}],
    )

    said = {
        name: (pool.gpus.partition_size, pool.gpus.clients_per_gpu)
        for name, pool in pools.items()
        if pool.gpus
    }
    assert said == {"scheduler-pool": (None, 2), "a100": (None, 1), "mig": ("3g.20gb", 2)}
