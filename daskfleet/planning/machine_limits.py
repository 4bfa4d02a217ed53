"""What single machine types and GPUs ask of a fleet: x86 pods, a driver, disks of their kind."""

from collections.abc import Iterator

from daskfleet.catalog.accelerators import accelerators
from daskfleet.catalog.machines import machines
from daskfleet.planning.compatibility import driver_branch
from daskfleet.planning.cost import DISK_OF_CLASS
from daskfleet.planning.pool_zones import zones_of
from daskfleet.planning.pools import dask_pools, gpu_pools, jupyter_pool_of
from daskfleet.settings.problems import Problem, listed
from daskfleet.settings.software import GkeDriver
from daskfleet.settings.stack import Stack


def machine_limit_problems(stack: Stack) -> Iterator[Problem]:
    """Machines that no pool can have, drivers that do not know a GPU, disks that do not fit."""
    yield from _not_for_pools(stack)
    yield from _driver(stack)
    yield from _homes(stack)


def machine_limit_warnings(stack: Stack) -> Iterator[str]:
    """GPUs of which only the region is known."""
    for _, pool in gpu_pools(stack):
        gpu = accelerators().get(pool.accelerator)
        if gpu and stack.region in gpu.regions:
            yield (
                f"Pool {pool.name}: no source names the zones that have {pool.accelerator}, only "
                f"that {stack.region} has it. `daskfleet doctor` asks Google about "
                f"{listed(zones_of(pool, stack))}."
            )


def _not_for_pools(stack: Stack) -> Iterator[Problem]:
    types = [("system_pool", stack.system_pool.machine_type)]
    types += [(key, pool.machine_type) for key, pool in dask_pools(stack)]
    for key, name in types:
        machine = machines().get(name)
        if machine and machine.not_for_pools:
            yield Problem(
                key=f"{key}.machine_type",
                value=name,
                reason=f"GKE has this type, but {machine.not_for_pools}.",
                allowed="the other machine types of the catalog",
                next_step="choose another type; docs/pools.md has them with their GPUs.",
            )


def _driver(stack: Stack) -> Iterator[Problem]:
    branch = driver_branch(stack)
    for key, pool in gpu_pools(stack):
        gpu = accelerators().get(pool.accelerator)
        if gpu is None or gpu.min_driver_branch is None or branch >= gpu.min_driver_branch:
            continue
        by_gke = isinstance(stack.driver, GkeDriver)
        yield Problem(
            key=f"{key}.accelerator",
            value=pool.accelerator,
            reason=f"It needs driver branch {gpu.min_driver_branch} or newer; driver."
            f"{'channel' if by_gke else 'version'} gives branch {branch}.",
            allowed=f"driver branch {gpu.min_driver_branch} or newer"
            + (", such as channel: LATEST" if by_gke else ""),
            next_step="change the driver of the stack, or choose another GPU.",
        )


def _homes(stack: Stack) -> Iterator[Problem]:
    """Homes of JupyterLabs, which move with their pod onto a machine that must take their disk."""
    for index, team in enumerate(stack.teams):
        pool = jupyter_pool_of(team, stack)
        machine = machines().get(pool.machine_type) if pool else None
        disk = DISK_OF_CLASS.get(team.jupyter.storage_class) if team.jupyter else None
        if machine is None or disk is None or disk in machine.disks:
            continue
        yield Problem(
            key=f"teams[{index}].jupyter.worker_pool",
            value=machine.name,
            reason=f"The home is a {disk} disk, and this machine type takes "
            f"{', '.join(machine.disks)} only.",
            allowed="a worker pool whose machines take the disk, or another jupyter.storage_class",
            next_step="leave jupyter.worker_pool out, or name a StorageClass of hyperdisk-balanced "
            "that you have made.",
        )
