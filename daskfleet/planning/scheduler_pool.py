"""What to know about a pool on which schedulers have little room, or none that lasts."""

from collections.abc import Iterator

from daskfleet.catalog.accelerators import accelerators, attach_limits
from daskfleet.catalog.machines import Machine, machines
from daskfleet.planning.node_room import MIB_PER_GIB
from daskfleet.planning.plan import PoolPlacement
from daskfleet.planning.pools import room_on
from daskfleet.planning.resources import GroupRequest
from daskfleet.planning.tariff import Tariff
from daskfleet.settings.pools import SchedulerPool
from daskfleet.settings.stack import Stack

SPARE_GIB = 1
"""Memory that a node should have beyond what its schedulers ask for."""

CUDA_CONTEXT_GIB = 2
"""Memory that a scheduler takes on its GPU: a CUDA context and an imported cuDF."""


def scheduler_pool_warnings(
    stack: Stack, requests: tuple[GroupRequest, ...], placement: PoolPlacement
) -> Iterator[str]:
    """That it may be taken away, that memory is short, that a GPU's memory is."""
    pool = stack.scheduler_pool
    if pool.spot:
        yield (
            f"Pool {pool.name} is spot capacity: when Google takes a node, the teams on it lose "
            "their clusters' state, and the schedulers wait until there is spot capacity again."
        )
    room = room_on(pool, stack=stack)
    asked_gib = {request.team.name: request.scheduler.memory_gib for request in requests}
    fullest_gib = max(
        (sum(group.count * asked_gib[group.team] for group in node) for node in placement.nodes),
        default=0,
    )
    if room and room.memory_mib / MIB_PER_GIB - fullest_gib < SPARE_GIB:
        yield (
            f"Pool {pool.name}: {pool.machine_type} leaves {room.text} for pods of ours, and "
            f"{fullest_gib:g} GiB of it are asked for. There is no room for a scheduler that grows"
            f"{_larger(stack)}."
        )
    gpu = accelerators().get(pool.accelerator)
    needed_gib = pool.schedulers_per_gpu * CUDA_CONTEXT_GIB
    if gpu and gpu.memory_gib and needed_gib > gpu.memory_gib:
        yield (
            f"Pool {pool.name}: {pool.schedulers_per_gpu} schedulers share a GPU of "
            f"{gpu.memory_gib:g} GiB, and time-sharing does not divide its memory: about "
            f"{CUDA_CONTEXT_GIB} GiB each is what a CUDA context with cuDF takes."
        )


def _larger(stack: Stack) -> str:
    """What the next larger machine costs more; empty where there is none, or nobody knows."""
    pool = stack.scheduler_pool
    machine = _next_larger(pool, stack.region)
    if machine is None:
        return ""
    tariff = Tariff(stack)
    now = tariff.node(pool)
    then = tariff.node(pool.model_copy(update={"machine_type": machine.name}))
    if now is None or then is None:
        return f"; {machine.name} is the next larger type"
    return (
        f"; {machine.name} instead of {pool.machine_type} costs {then - now:.2f} USD more per hour "
        "and node"
    )


def _next_larger(pool: SchedulerPool, region: str) -> Machine | None:
    """The smallest type of the same series with more memory that has, or takes, the same GPUs."""
    own = machines().get(pool.machine_type)
    limit = attach_limits().get((pool.accelerator, pool.gpus_per_node))
    if own is None:
        return None
    fitting = [
        each
        for each in machines().values()
        if _series(each) == _series(own)
        and each.memory_gib > own.memory_gib
        and (each.accelerator, each.accelerator_count) == (own.accelerator, own.accelerator_count)
        and region in each.regions
        and (own.accelerator or not pool.has_gpus or (limit and each.vcpus <= limit.max_vcpus))
    ]
    return min(fitting, key=lambda each: each.memory_gib, default=None)


def _series(machine: Machine) -> str:
    return machine.name.rpartition("-")[0]
