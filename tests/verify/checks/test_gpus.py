"""Unit: GPUs and CUDA, by facts that this machine cannot give."""

from typing import Any

import pytest

from tests.verify.samples import A100, T4, checked, dask, facts, process, the_only_failure, worker
from verify.facts import Gpu, SchedulerFacts, TeamFacts
from verify.model import Outcome


def with_worker(**changes: Any) -> TeamFacts:
    return facts(dask=dask(workers=(worker(0), worker(1, process=process(**changes)))))


def test_gpu_names_and_memory_are_told_where_they_fit() -> None:
    seen = checked(facts())["GPUs"].seen

    assert "Tesla T4 (15360 MiB, compute capability 7.5) in scheduler" in seen
    assert "NVIDIA A100-SXM4-40GB (40960 MiB, compute capability 8.0) in 2 processes" in seen


@pytest.mark.parametrize(
    "gpu",
    [
        T4,
        A100.model_copy(update={"memory_mib": 20000}),
        A100.model_copy(update={"compute_capability": "9.0"}),
    ],
    ids=["another model", "a part of its memory", "another compute capability"],
)
def test_a_worker_with_another_gpu_than_its_pool_declares_is_named(gpu: Gpu) -> None:
    one = process(gpu)
    failure = the_only_failure(
        checked(facts(dask=dask(workers=(worker(0), worker(1, process=one)))))
    )

    assert failure.name == "GPUs"
    assert failure.seen.startswith(f"worker fraud-worker-1 has {gpu.name}")
    assert "its pool nvidia-tesla-a100" in failure.seen


def test_one_worker_without_a_gpu_among_others_fails() -> None:
    failure = the_only_failure(checked(with_worker(gpu_error="NVML: Driver Not Loaded")))

    assert failure.name == "GPUs"
    assert failure.seen == "worker fraud-worker-1 sees no GPU (NVML: Driver Not Loaded)"


def test_without_any_gpu_nothing_is_measured_and_nothing_is_ok() -> None:
    bare = dask(
        scheduler=SchedulerFacts(process=process()),
        workers=(worker(0, process=process()), worker(1, process=process())),
        gpu_computations=(),
    )
    checks = checked(facts(dask=bare))

    for name in ("GPUs", "CUDA and driver", "computation on GPUs"):
        assert checks[name].outcome is Outcome.NOT_MEASURED
        assert checks[name].seen == "no GPU"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"cuda_runtime": "13.0"}, "worker fraud-worker-1 runs CUDA 13.0"),
        ({"driver_cuda": "11.8"}, "of worker fraud-worker-1 runs CUDA up to 11.8"),
        ({"driver": "535.1"}, "driver 535.1 in worker fraud-worker-1"),
        ({"gpu_error": "cupy: libcuda not found"}, "libcuda not found"),
    ],
)
def test_another_cuda_or_driver_on_one_worker_is_named(changes: dict[str, str], said: str) -> None:
    one = process(A100, **changes)
    failure = the_only_failure(
        checked(facts(dask=dask(workers=(worker(0), worker(1, process=one)))))
    )

    assert failure.name == "CUDA and driver"
    assert said in failure.seen
