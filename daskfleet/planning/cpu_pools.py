"""Pools without GPUs: is the machine one, and can the workers there do without?"""

from collections.abc import Iterator

from daskfleet.catalog.machines import Machine, machines
from daskfleet.planning.accelerators import unknown_machine
from daskfleet.planning.plan import CPU_WORKER, CUDA_WORKER
from daskfleet.planning.pools import dask_pools, worker_pool_of
from daskfleet.planning.teams import all_groups
from daskfleet.settings.pools import NO_ACCELERATOR, GpuPool
from daskfleet.settings.problems import Problem, shown
from daskfleet.settings.stack import Stack

CUDA_COMMANDS = (CUDA_WORKER, ("dask-cuda-worker",))


def cpu_pool_problems(stack: Stack) -> Iterator[Problem]:
    """Machines with GPUs of their own, and teams that want a GPU on such a pool."""
    for key, pool in dask_pools(stack):
        if not pool.has_gpus:
            yield from _machine(key, pool, stack)
    yield from _teams(stack)


def _machine(key: str, pool: GpuPool, stack: Stack) -> Iterator[Problem]:
    machine = machines().get(pool.machine_type)
    without_gpus = [each.name for each in machines().values() if not each.accelerator]
    if machine is None:
        yield unknown_machine(key, pool, without_gpus)
    elif machine.accelerator:
        yield Problem(
            key=f"{key}.machine_type",
            value=machine.name,
            reason=f"This type always carries {machine.accelerator_count} x "
            f"{machine.accelerator}, and the pool says accelerator: {NO_ACCELERATOR}.",
            allowed=", ".join(without_gpus),
            next_step=f"choose one of those, or write accelerator: {machine.accelerator}.",
        )
    elif stack.region not in machine.regions:
        yield _elsewhere(key, machine, stack)


def _elsewhere(key: str, machine: Machine, stack: Stack) -> Problem:
    return Problem(
        key=f"{key}.machine_type",
        value=machine.name,
        reason=f"Google does not offer this type in {stack.region}.",
        allowed=f"this type in {', '.join(machine.regions)}",
        next_step="choose another type, or move the stack to one of those regions.",
    )


def _teams(stack: Stack) -> Iterator[Problem]:
    for key, team, group in all_groups(stack):
        pool = worker_pool_of(team, stack, group=group)
        if pool is None or pool.has_gpus:
            continue
        command = (group.worker if group else team.worker).command or CPU_WORKER
        if any(command[: len(words)] == words for words in CUDA_COMMANDS):
            yield Problem(
                key=f"{key}.worker.command",
                value=shown(list(command)),
                reason=f"Pool {pool.name} has no GPUs, and dask-cuda asks the NVIDIA driver for "
                "one before it starts.",
                allowed="a command that needs no GPU, such as [dask, worker]",
                next_step="remove the key, or move the team to a pool with GPUs.",
            )
        falls_back = team.scheduler.fallback == "worker-pool"
        if group is None and falls_back and stack.scheduler_pool.has_gpus:
            yield Problem(
                key=f"{key}.scheduler.fallback",
                value=team.scheduler.fallback,
                reason=f"The scheduler needs a GPU, and pool {pool.name} has none.",
                allowed="none, or worker-pool with a worker pool that has GPUs",
                next_step="remove the key, or move the team to a pool with GPUs.",
            )
