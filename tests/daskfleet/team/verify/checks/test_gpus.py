"""Unit: GPUs and CUDA, by facts that this machine cannot give."""

from typing import Any

import pytest

from daskfleet.access.declared_fleet import declared_fleet
from daskfleet.team.verify.checks.all_checks import all_checks
from daskfleet.team.verify.facts import Gpu, GraphFacts, ProcessFacts, SchedulerFacts, TeamFacts
from daskfleet.team.verify.model import Check, Outcome
from tests.daskfleet.team.verify.samples import (
    A100,
    T4,
    checked,
    dask,
    facts,
    outputs,
    pod,
    process,
    the_only_failure,
    worker,
)


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


def on_pool(pool: dict[str, Any], collected: TeamFacts, **declared: Any) -> dict[str, Check]:
    """All checks of a team whose workers are on this pool."""
    document = outputs(worker_pool=pool["name"], **declared)
    document["pools"].append(pool)
    whole = declared_fleet(document)
    return {each.name: each for each in all_checks(whole, whole.teams["fraud"], collected)}


def workers_of(*processes: ProcessFacts, pool: str, **changes: Any) -> TeamFacts:
    """Facts of a team whose workers are these processes, on this pool."""
    names = [f"worker-{number}" for number, _ in enumerate(processes)]
    workers = tuple(worker(n, process=each, **changes) for n, each in enumerate(processes))
    return facts(
        pods=(pod("scheduler"), *(pod(name, pool=pool) for name in names)),
        dask=dask(workers=workers, bound_tasks=(), gpu_computations=()),
    )


def test_workers_on_a_pool_without_gpus_lack_none() -> None:
    collected = workers_of(process(), process(), pool="cpu", threads=4, resources={})
    checks = on_pool(
        {"name": "cpu", "role": "worker"}, collected, threads_per_worker=4, worker_resources={}
    )

    assert {each.outcome for each in checks.values()} == {Outcome.OK}
    assert checks["computation on GPUs"].seen == "no GPU declared"
    assert "none on cpu" in checks["GPUs"].expected
    assert checks["GPUs"].seen == "Tesla T4 (15360 MiB, compute capability 7.5) in scheduler"
    assert checks["resources"].seen == "all 2 workers without"


def test_a_worker_without_gpus_that_has_dask_resources_is_named() -> None:
    collected = workers_of(process(), process(), pool="cpu", resources={"GPU": 1})
    checks = on_pool({"name": "cpu", "role": "worker"}, collected, worker_resources={})

    assert checks["resources"].outcome is Outcome.FAILED
    assert "has GPU=1" in checks["resources"].seen


def test_a_group_with_gpus_beside_workers_without_is_to_compute_on_them() -> None:
    on_gpus = {"dask_worker_group": "fraud-large", "workers": 0, "worker_pool": "a100"}
    checks = on_pool(
        {"name": "cpu", "role": "worker"},
        workers_of(process(), process(), pool="cpu", resources={}),
        worker_resources={},
        groups={"large": on_gpus},
    )

    assert checks["computation on GPUs"].outcome is Outcome.NOT_MEASURED


MIG = {
    "name": "mig",
    "role": "worker",
    "accelerator": "nvidia-tesla-a100",
    "gpu_partition_size": "1g.5gb",
}
PART = Gpu(name="NVIDIA A100-SXM4-40GB MIG 1g.5gb", memory_mib=4864, compute_capability="8.0")


def test_a_partition_is_held_against_its_own_memory() -> None:
    checks = on_pool(MIG, workers_of(process(PART), process(PART), pool="mig"))

    assert checks["GPUs"].outcome is Outcome.OK
    assert "nvidia-tesla-a100 in partitions of 1g.5gb" in checks["GPUs"].expected


@pytest.mark.parametrize(
    "gpu",
    [A100, PART.model_copy(update={"memory_mib": 2000})],
    ids=["the whole card", "less memory"],
)
def test_another_partition_than_the_pool_declares_is_named(gpu: Gpu) -> None:
    checks = on_pool(MIG, workers_of(process(PART), process(gpu), pool="mig"))

    assert checks["GPUs"].outcome is Outcome.FAILED
    assert "its pool nvidia-tesla-a100 in partitions of 1g.5gb" in checks["GPUs"].seen


def test_a_scheduler_that_may_be_on_two_pools_is_left_to_those_who_can_tell() -> None:
    unknown = tuple(pod(name, pool=None) for name in ("scheduler", "worker-0", "worker-1"))
    found = facts(pods=unknown, dask=dask(scheduler=SchedulerFacts(process=process(A100))))

    assert checked(found)["GPUs"].outcome is Outcome.FAILED
    check = checked(found, scheduler_fallback="worker-pool")["GPUs"]
    assert check.outcome is Outcome.OK
    assert "in scheduler" not in check.seen


def test_a_worker_that_sees_fewer_gpus_than_it_promises_to_tasks_is_named() -> None:
    pair = worker(0, resources={"GPU": 2}, process=process(A100, A100))
    single = worker(1, resources={"GPU": 2})
    failure = checked(facts(dask=dask(workers=(pair, single))), worker_resources={"GPU": 2})["GPUs"]

    assert failure.outcome is Outcome.FAILED
    assert failure.seen == ("worker fraud-worker-1 sees 1 GPU, and its Dask resource GPU is 2")


def without_scheduler_gpus(collected: TeamFacts) -> dict[str, Check]:
    document = outputs()
    (pool,) = (each for each in document["pools"] if each["role"] == "scheduler")
    pool.update(accelerator=None, gpus_per_node=0)
    whole = declared_fleet(document)
    return {each.name: each for each in all_checks(whole, whole.teams["fraud"], collected)}


def test_a_scheduler_on_a_pool_without_gpus_lacks_none() -> None:
    bare = SchedulerFacts(process=process(gpu_error="NVML: Driver Not Loaded"))
    checks = without_scheduler_gpus(facts(dask=dask(scheduler=bare)))

    assert {each.outcome for each in checks.values()} == {Outcome.OK}
    assert "none on scheduler-pool" in checks["GPUs"].expected
    assert "the scheduler has no GPU" in checks["task graphs"].seen


def test_it_need_not_unpack_objects_of_a_gpu_but_all_others() -> None:
    failing = {"raised": [{"type": "RuntimeError", "message": "no device"}]}
    cudf, numpy = (
        GraphFacts.model_validate({"carries": each, **failing}) for each in ("cudf", "numpy")
    )

    spared = without_scheduler_gpus(facts(dask=dask(graphs=(cudf,))))["task graphs"]
    wanted = without_scheduler_gpus(facts(dask=dask(graphs=(cudf, numpy))))["task graphs"]
    assert spared.outcome is Outcome.OK
    assert wanted.outcome is Outcome.FAILED
    assert checked(facts(dask=dask(graphs=(cudf,))))["task graphs"].outcome is Outcome.FAILED
