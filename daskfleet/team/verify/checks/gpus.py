"""Pure: the GPUs that scheduler and workers see, and the CUDA that they run."""

from collections.abc import Iterator, Mapping

from daskfleet.catalog.accelerators import accelerators, gpu_name
from daskfleet.catalog.partitions import partitions
from daskfleet.contract.declared import (
    DeclaredFleet,
    DeclaredGroup,
    DeclaredPool,
    DeclaredTeam,
)
from daskfleet.team.verify.checks.wording import SCHEDULER, named_processes
from daskfleet.team.verify.facts import Gpu, ProcessFacts, TeamFacts
from daskfleet.team.verify.model import Check, failed, not_measured, passed

WORKER = "worker "
"""Before the name of a worker, where a process is named."""

GPUS = "GPUs"
CUDA = "CUDA and driver"
NO_GPU = "no GPU"
GPU_OF_DASK = "GPU"
"""The Dask resource by which tasks ask for a worker's GPUs."""

ENOUGH_MEMORY = 0.9
"""Of the nominal memory: the driver keeps a part, and counts ECC."""

MIB_PER_GIB = 1024


def gpus(fleet: DeclaredFleet, team: DeclaredTeam, facts: TeamFacts) -> Check:
    """Scheduler and workers see the GPU that their pool declares."""
    found = _in_cluster(facts)
    places = {name: _pool_of(name, fleet, team, facts) for name in found}
    declared = {name: pool for name, pool in places.items() if pool}
    processes = {name: each for name, each in found.items() if name in declared}
    of_all = {_declared(pool): None for pool in declared.values()}
    expected = f"the GPUs of the pools: {', '.join(of_all)}"
    if not any(each.gpus for each in processes.values()):
        return not_measured(GPUS, expected=expected, seen=_no_gpu(processes))
    wrong = [
        f"{name} {problem}"
        for name, process in processes.items()
        for problem in _problems(process, declared[name])
    ]
    wrong += [
        f"{name} {problem}"
        for name, process in processes.items()
        if name != SCHEDULER
        for problem in _too_few(process, team.group_of(name.removeprefix("worker ")))
    ]
    if wrong:
        return failed(
            GPUS,
            expected=expected,
            seen="; ".join(wrong),
            next_step="A pod on another pool has another GPU: see the check of the pods. One that "
            "sees none has no driver yet, or cannot find it: `kubectl get pods --namespace "
            "kube-system` shows the installer's, and the pod's log what fails.",
        )
    return passed(GPUS, expected=expected, seen="; ".join(_seen(processes)))


def cuda_and_driver(team: DeclaredTeam, facts: TeamFacts) -> Check:
    """One CUDA major version everywhere, the image's, and a driver that runs it."""
    processes = _in_cluster(facts)
    client = facts.dask.client
    expected = f"CUDA {team.cuda} everywhere, and one driver that runs it"
    with_gpu = {name: each for name, each in processes.items() if each.gpus}
    if not with_gpu:
        return not_measured(CUDA, expected=expected, seen=_no_gpu(processes))
    wrong = [
        f"{name} runs CUDA {process.cuda_runtime}"
        for name, process in {**with_gpu, "this client": client}.items()
        if process.cuda_runtime and _major(process.cuda_runtime) != team.cuda
    ]
    wrong += [
        f"the driver {process.driver} of {name} runs CUDA up to {process.driver_cuda}"
        for name, process in with_gpu.items()
        if _major(process.driver_cuda) < team.cuda
    ]
    wrong += [f"{name}: {each.gpu_error}" for name, each in with_gpu.items() if each.gpu_error]
    drivers: dict[str, list[str]] = {}
    for name, process in with_gpu.items():
        drivers.setdefault(process.driver, []).append(name)
    if len(drivers) > 1:
        wrong += [f"driver {driver} in {' and '.join(names)}" for driver, names in drivers.items()]
    if wrong:
        return failed(
            CUDA,
            expected=expected,
            seen="; ".join(wrong),
            next_step=f"CUDA comes with the image ({team.image}), the driver with the node. "
            f"While a new "
            "driver reaches the nodes they differ; otherwise see `pulumi stack output driver`, "
            "and choose an image of the CUDA that the driver runs.",
        )
    runtimes = {each.cuda_runtime for each in with_gpu.values() if each.cuda_runtime}
    if not runtimes:
        return not_measured(
            CUDA,
            expected=expected,
            seen=f"driver {next(iter(drivers))}; neither cupy nor numba to ask for the runtime",
        )
    return passed(
        CUDA,
        expected=expected,
        seen=f"CUDA {', '.join(sorted(runtimes))}, driver {next(iter(drivers))}",
    )


def _pool_of(
    name: str, fleet: DeclaredFleet, team: DeclaredTeam, facts: TeamFacts
) -> DeclaredPool | None:
    """The pool of a process; None where it may be on several, which members cannot tell apart."""
    is_scheduler = name == SCHEDULER
    worker = name.removeprefix(WORKER)
    pools = team.scheduler_pools if is_scheduler else team.group_of(worker).pools
    its_own = next(
        (
            pod
            for pod in facts.pods
            if (is_scheduler and pod.role == "scheduler")
            or (not is_scheduler and f"{pod.name}-".startswith(f"{worker}-"))
        ),
        None,
    )
    if its_own and its_own.pool:
        return fleet.pool(its_own.pool if is_scheduler or len(pools) > 1 else pools[0])
    alike = {_declared(fleet.pool(pool)) for pool in pools}
    return fleet.pool(pools[0]) if len(alike) == 1 else None


def _in_cluster(facts: TeamFacts) -> dict[str, ProcessFacts]:
    named = named_processes(facts.dask)
    return {name: each for name, each in named.items() if each is not facts.dask.client}


def _no_gpu(processes: Mapping[str, ProcessFacts]) -> str:
    errors = dict.fromkeys(each.gpu_error for each in processes.values() if each.gpu_error)
    return f"{NO_GPU} ({'; '.join(errors)})" if errors else NO_GPU


def _declared(pool: DeclaredPool) -> str:
    if pool.accelerator is None:
        return f"none on {pool.name}"
    size = pool.gpu_partition_size
    return f"{pool.accelerator} in partitions of {size}" if size else pool.accelerator


def _problems(process: ProcessFacts, pool: DeclaredPool) -> Iterator[str]:
    if pool.accelerator is None:
        return
    if not process.gpus:
        yield f"sees no GPU{f' ({process.gpu_error})' if process.gpu_error else ''}"
    for gpu in process.gpus:
        if not _is(gpu, pool.accelerator, size=pool.gpu_partition_size):
            yield f"has {_described(gpu)}, and its pool {_declared(pool)}"


def _too_few(process: ProcessFacts, group: DeclaredGroup) -> Iterator[str]:
    """Fewer GPUs than its Dask resource promises to tasks; none at all is said elsewhere."""
    promised = (group.worker_resources or {}).get(GPU_OF_DASK, 0)
    if 0 < len(process.gpus) < promised:
        yield f"sees {len(process.gpus)} GPU, and its Dask resource {GPU_OF_DASK} is {promised:g}"


def _is(gpu: Gpu, accelerator: str, *, size: str | None) -> bool:
    """Compare by model; by compute capability and memory where the catalog knows them."""
    model = gpu_name(accelerator).split()[0]
    if model not in gpu.name.upper():
        return False
    known = accelerators().get(accelerator)
    if known is None:
        return True
    fits = float(gpu.compute_capability) == known.compute_capability
    partition = partitions().get((accelerator, size)) if size else None
    if size:
        memory_gib = partition.memory_gib if partition else None
        fits = fits and size in gpu.name
    else:
        memory_gib = known.memory_gib
    if memory_gib is None:
        return fits
    return fits and gpu.memory_mib >= ENOUGH_MEMORY * memory_gib * MIB_PER_GIB


def _seen(processes: Mapping[str, ProcessFacts]) -> Iterator[str]:
    holders: dict[str, list[str]] = {}
    for name, process in processes.items():
        for gpu in process.gpus:
            holders.setdefault(_described(gpu), []).append(name)
    for described, names in holders.items():
        yield f"{described} in {names[0] if len(names) == 1 else f'{len(names)} processes'}"


def _described(gpu: Gpu) -> str:
    return f"{gpu.name} ({gpu.memory_mib} MiB, compute capability {gpu.compute_capability})"


def _major(version: str) -> int:
    return int(version.partition(".")[0] or 0)
