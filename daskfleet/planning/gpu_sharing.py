"""Divided and shared GPUs of worker pools: does the card have it, and does GKE do it?

Compute capability needs no check: the cards that can be divided have 8.0 and more.
"""

from collections.abc import Iterator
from math import floor

from daskfleet.catalog.accelerators import accelerators, gpu_name
from daskfleet.catalog.partitions import partitions, partitions_of
from daskfleet.planning.plan import CUDA_WORKER
from daskfleet.planning.pools import partitions_per_gpu, worker_chain_of
from daskfleet.planning.teams import all_groups
from daskfleet.settings.pools import MOST_CLIENTS, WorkerPool
from daskfleet.settings.problems import Problem
from daskfleet.settings.software import DaemonSetDriver
from daskfleet.settings.stack import Stack

DEVICE_MEMORY_LIMIT = "--device-memory-limit"
SPILL_FROM = 0.8
"""dask-cuda's flag for the memory from which a worker spills, and its default: a share of the
memory that the worker sees."""


def sharing_problems(stack: Stack) -> Iterator[Problem]:
    """Partitions that a card has not, or nobody would make, and too many pods on one GPU."""
    for index, pool in enumerate(stack.worker_pools):
        if pool.gpu_partition_size and pool.has_gpus:
            yield from _partitions(f"worker_pools[{index}]", pool, stack)
        yield from _clients(f"worker_pools[{index}]", pool)


def _partitions(key: str, pool: WorkerPool, stack: Stack) -> Iterator[Problem]:
    size = str(pool.gpu_partition_size)
    of_card = partitions_of(pool.accelerator)
    if pool.accelerator in accelerators() and not of_card:
        cards = ", ".join(dict.fromkeys(name for name, _ in partitions()))
        yield Problem(
            key=f"{key}.gpu_partition_size",
            value=size,
            reason=f"{pool.accelerator} cannot be divided into partitions (MIG).",
            allowed=f"nothing, or an accelerator that can: {cards}",
            next_step="remove it; workers_per_gpu shares every GPU, without dividing its memory.",
        )
    elif of_card and (pool.accelerator, size) not in partitions():
        others = [name for name, known in partitions() if known == size]
        of_another = f"It is a size of {' and '.join(others)}. " if others else ""
        yield Problem(
            key=f"{key}.gpu_partition_size",
            value=size,
            reason=f"{of_another}GKE does not divide {pool.accelerator} so.",
            allowed=", ".join(f"{row.size} ({row.per_gpu} per GPU)" for row in of_card),
            next_step="choose one of those.",
        )
    if isinstance(stack.driver, DaemonSetDriver):
        yield Problem(
            key=f"{key}.gpu_partition_size",
            value=size,
            reason="GKE's own driver installation divides the GPUs; the DaemonSet of "
            "driver.install daemonset installs a driver and divides none, so a node would offer "
            "no partition.",
            allowed="gpu_partition_size together with driver: {install: gke, channel: ...}",
            next_step="let GKE install the driver, or remove gpu_partition_size.",
        )


def _clients(key: str, pool: WorkerPool) -> Iterator[Problem]:
    each = partitions_per_gpu(pool)
    if each * pool.workers_per_gpu > MOST_CLIENTS:
        yield Problem(
            key=f"{key}.workers_per_gpu",
            value=str(pool.workers_per_gpu),
            reason=f"A GPU has {each} partitions of {pool.gpu_partition_size}, which makes "
            f"{each * pool.workers_per_gpu} workers on one GPU; GKE lets {MOST_CLIENTS} containers "
            "share one.",
            allowed=f"1 to {MOST_CLIENTS // each}",
            next_step="lower workers_per_gpu, or choose larger partitions.",
        )


def sharing_warnings(stack: Stack) -> Iterator[str]:
    """Teams whose workers each count on all of a GPU's memory."""
    for pool in stack.worker_pools:
        teams = [
            team.name
            for _, team, group in all_groups(stack)
            if pool in worker_chain_of(team, stack, group=group)
            and DEVICE_MEMORY_LIMIT
            not in ((group.worker if group else team.worker).command or CUDA_WORKER)
        ]
        if pool.workers_per_gpu > 1 and teams:
            named = ", ".join(dict.fromkeys(teams))
            part = floor(100 * SPILL_FROM / pool.workers_per_gpu) / 100
            yield (
                f"Pool {pool.name}: {pool.workers_per_gpu} workers take turns on one "
                f"{_what(pool)}, and nothing divides its memory{_memory(pool)}. Each worker of "
                f"dask-cuda spills at {SPILL_FROM:.0%} of all of it: give {named} "
                f'worker.command [dask, cuda, worker, {DEVICE_MEMORY_LIMIT}, "{part:g}"], and no '
                "RMM pool larger than that."
            )


def _what(pool: WorkerPool) -> str:
    of = f" partition {pool.gpu_partition_size}" if pool.gpu_partition_size else ""
    return f"{gpu_name(pool.accelerator)}{of}"


def _memory(pool: WorkerPool) -> str:
    row = partitions().get((pool.accelerator, pool.gpu_partition_size or ""))
    gpu = accelerators().get(pool.accelerator)
    gib = row.memory_gib if row else gpu.memory_gib if gpu else None
    return f" of {gib:g} GiB" if gib else ""
