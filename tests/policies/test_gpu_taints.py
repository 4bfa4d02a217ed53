"""Unit: taints of GPU pools."""

from policies.gpu_taints import RULE
from tests.policies.fleets import SCHEDULER_POOL, WORKER_POOL, Fleet, recorded

TAINTS = ("nodeConfig", "taints")
GPU_TAINT = {"key": "nvidia.com/gpu", "value": "present", "effect": "NO_SCHEDULE"}


def test_a_gpu_pool_without_taints_is_named(fleet: Fleet) -> None:
    ((name, message),) = fleet.with_value(WORKER_POOL, *TAINTS, value=None).violations(RULE)

    assert name == WORKER_POOL
    assert "nvidia.com/gpu=present:NO_SCHEDULE" in message


def test_a_taint_that_only_asks_does_not_count(fleet: Fleet) -> None:
    soft = [{**GPU_TAINT, "effect": "PREFER_NO_SCHEDULE"}]

    assert fleet.with_value(WORKER_POOL, *TAINTS, value=soft).names(RULE) == [WORKER_POOL]


def test_the_scheduler_pool_is_for_schedulers_alone(fleet: Fleet) -> None:
    only_gpu = fleet.with_value(SCHEDULER_POOL, *TAINTS, value=[GPU_TAINT])
    ((name, message),) = only_gpu.violations(RULE)

    assert name == SCHEDULER_POOL
    assert "dedicated=scheduler:NO_SCHEDULE" in message


def test_a_pool_without_gpus_needs_no_taint(fleet: Fleet) -> None:
    cpu = fleet.with_value(WORKER_POOL, *TAINTS, value=None)

    assert (
        cpu.with_value(WORKER_POOL, "nodeConfig", "guestAccelerators", value=[]).names(RULE) == []
    )


def test_the_schedulers_pool_is_theirs_without_gpus_too() -> None:
    on_cpus = recorded(scheduler_pool={"accelerator": "none", "machine_type": "e2-standard-4"})

    assert on_cpus.names(RULE) == []
    (pool,) = (each.name for each in on_cpus.resources if each.name.startswith("scheduler-pool-"))
    assert on_cpus.with_value(pool, *TAINTS, value=[]).names(RULE) == [pool]
