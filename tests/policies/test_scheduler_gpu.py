"""Unit: the scheduler's GPU, and UCX."""

import pytest

from daskfleet.contract.dask import NO_SCHEDULER_GPU
from policies.scheduler_gpu import RULE
from tests.policies.fleets import DASK, Fleet, recorded

SCHEDULER = ("spec", "scheduler", "spec", "containers", 0)
WORKER = ("spec", "worker", "spec", "containers", 0)
GPU = ("resources", "limits", "nvidia.com/gpu")


def without_gpu(fleet: Fleet) -> Fleet:
    return fleet.with_value(DASK, *SCHEDULER, *GPU, value=None)


def excused(fleet: Fleet, reason: str) -> Fleet:
    return fleet.with_value(DASK, "metadata", "annotations", value={NO_SCHEDULER_GPU: reason})


def test_a_scheduler_without_a_gpu_is_named(fleet: Fleet) -> None:
    ((name, message),) = without_gpu(fleet).violations(RULE)

    assert name == DASK
    assert NO_SCHEDULER_GPU in message


def test_an_annotation_that_says_why_not_is_enough_and_an_empty_one_is_not(fleet: Fleet) -> None:
    assert excused(without_gpu(fleet), "no cuDF in any graph").names(RULE) == []
    assert excused(without_gpu(fleet), "").names(RULE) == [DASK]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("args", ["dask", "scheduler", "--protocol", "ucx"]),
        ("args", ["dask", "scheduler", "--protocol=ucxx"]),
        ("command", ["dask", "scheduler", "--host", "ucx://0.0.0.0"]),
        ("env", [{"name": "DASK_DISTRIBUTED__COMM__UCX__CUDA_COPY", "value": "true"}]),
        ("env", [{"name": "DASK_DISTRIBUTED__COMM__DEFAULT_SCHEME", "value": "ucx"}]),
    ],
)
def test_no_reason_excuses_ucx_without_a_gpu(fleet: Fleet, key: str, value: object) -> None:
    speaking = fleet.with_value(DASK, *SCHEDULER, key, value=value)

    assert speaking.names(RULE) == []
    ((_, message),) = excused(without_gpu(speaking), "because").violations(RULE)
    assert "UCX needs a GPU" in message


def test_a_worker_needs_no_gpu_but_for_ucx(fleet: Fleet) -> None:
    cpu_worker = fleet.with_value(DASK, *WORKER, *GPU, value="0")

    assert cpu_worker.names(RULE) == []
    speaking = cpu_worker.with_value(DASK, *WORKER, "args", value=["--protocol", "ucx"])
    assert speaking.names(RULE) == [DASK]


def test_a_pool_without_gpus_excuses_its_schedulers() -> None:
    on_cpus = recorded(scheduler_pool={"accelerator": "none", "machine_type": "e2-standard-4"})

    assert on_cpus.names(RULE) == []
    bare = on_cpus.with_value(DASK, "metadata", "annotations", value=None)
    assert bare.names(RULE) == [DASK]
