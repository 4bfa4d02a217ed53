"""Workers with several GPUs: whether a process could see them, and what it cannot do with them."""

from collections.abc import Iterator

from daskfleet.planning.cpu_pools import CUDA_COMMANDS
from daskfleet.planning.resources import GroupRequest
from daskfleet.settings.pools import WorkerPool
from daskfleet.settings.problems import Problem, shown


def several_gpu_problems(request: GroupRequest) -> Iterator[Problem]:
    """What a group's workers with several GPUs would not get, or cannot be combined with."""
    gpus = request.settings.gpus
    if gpus == 1:
        return
    if reason := next(filter(None, (_not_on(pool, gpus) for pool in request.chain)), ""):
        yield Problem(
            key=f"{request.key}.worker.gpus",
            value=str(gpus),
            reason=reason,
            allowed="1, or as many as each node has on a pool of whole GPUs that nobody shares",
            next_step="remove gpus, or move the workers to a pool that has so many on each node.",
        )
    command = request.settings.command or ()
    if any(command[: len(words)] == words for words in CUDA_COMMANDS):
        yield Problem(
            key=f"{request.key}.worker.command",
            value=shown(list(command)),
            reason=f"dask-cuda starts one process for each of the {gpus} GPUs and numbers their "
            "names. The operator, which scales down by the names of pods, would retire workers "
            "whose pods it does not find.",
            allowed="[dask, worker], which is one process that sees all of them",
            next_step="remove the key; or gpus, for a worker on each GPU.",
        )
    if request.settings.rmm_pool_size is not None:
        yield _of_dask_cuda(request, "rmm_pool_size", f"{request.settings.rmm_pool_size:g}")
    if request.settings.protocol == "ucx":
        yield _of_dask_cuda(request, "protocol", request.settings.protocol)


def _not_on(pool: WorkerPool, gpus: int) -> str:
    """Why no worker on this pool has so many; empty where it has."""
    if not pool.has_gpus:
        return f"Pool {pool.name} has no GPUs."
    if pool.gpu_partition_size:
        return "CUDA shows a process one partition (MIG), whatever its pod has."
    if pool.workers_per_gpu > 1:
        return "A pod may ask for one share of a GPU that others share (time-sharing), and no more."
    if gpus > pool.gpus_per_node:
        return f"Each node of pool {pool.name} has {pool.gpus_per_node}."
    return ""


def _of_dask_cuda(request: GroupRequest, setting: str, value: str) -> Problem:
    return Problem(
        key=f"{request.key}.worker.{setting}",
        value=value,
        reason="dask-cuda sets this up, for workers with one GPU each. A worker with "
        f"{request.settings.gpus} GPUs is a plain `dask worker`.",
        allowed=f"{setting} with gpus: 1",
        next_step=f"remove {setting}, and let tasks prepare the GPUs that they use; or remove "
        "gpus.",
    )
