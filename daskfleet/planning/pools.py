"""The pools of Dask pods: their keys in the stack file, their teams' images, and their room."""

from dataclasses import replace

from daskfleet.catalog.machines import machines
from daskfleet.catalog.partitions import partitions
from daskfleet.contract.nodes import GPU_TAINT, SCHEDULER_TAINT, WORKER_TAINT, Taint
from daskfleet.planning.node_room import NodeRoom, cpu_node_room, gpu_node_room
from daskfleet.planning.team_images import readable_images
from daskfleet.settings.pools import GpuPool, SchedulerPool, WorkerPool
from daskfleet.settings.stack import Stack
from daskfleet.settings.team import Team
from daskfleet.settings.worker_chain import pools_named
from daskfleet.settings.workers import WorkerGroup

OLD_AND_NEW = 2
"""An image that takes another's place is pulled beside it: the old one's pods go last."""


def dask_pools(stack: Stack) -> tuple[tuple[str, SchedulerPool | WorkerPool], ...]:
    """All pools but the system pool, the scheduler pool first."""
    workers = ((f"worker_pools[{index}]", pool) for index, pool in enumerate(stack.worker_pools))
    return (("scheduler_pool", stack.scheduler_pool), *workers)


def gpu_pools(stack: Stack) -> tuple[tuple[str, SchedulerPool | WorkerPool], ...]:
    """Those of them whose nodes have GPUs."""
    return tuple((key, pool) for key, pool in dask_pools(stack) if pool.has_gpus)


def worker_chain_of(
    team: Team, stack: Stack, *, group: WorkerGroup | None = None
) -> tuple[WorkerPool, ...]:
    """The pools of a group of a team's workers, the most wanted first; one for most groups.

    The first group's where no other is given; none when the stack file leaves them open or
    misnames one.
    """
    named = pools_named(group.pool if group else team.worker_pool)
    if not named:
        return stack.worker_pools if len(stack.worker_pools) == 1 else ()
    by_name = {pool.name: pool for pool in stack.worker_pools}
    return tuple(by_name[name] for name in named) if by_name.keys() >= set(named) else ()


def worker_pool_of(
    team: Team, stack: Stack, *, group: WorkerGroup | None = None
) -> WorkerPool | None:
    """The pool that a group of a team's workers wants most; None where its chain has none."""
    return next(iter(worker_chain_of(team, stack, group=group)), None)


def jupyter_pool_of(team: Team, stack: Stack) -> WorkerPool | None:
    """The worker pool on which a team's JupyterLab has a GPU; None where it wants none."""
    name = team.jupyter.worker_pool if team.jupyter else None
    return next((pool for pool in stack.worker_pools if pool.name == name), None)


def worker_pools_of(team: Team, stack: Stack) -> tuple[WorkerPool, ...]:
    """The pools of all of a team's workers, the first group's first, each once."""
    chains = (worker_chain_of(team, stack, group=group) for group in (None, *team.groups))
    return tuple({pool.name: pool for chain in chains for pool in chain}.values())


def taints_of(pool: SchedulerPool | WorkerPool) -> tuple[Taint, ...]:
    """What keeps other pods off the nodes of a pool."""
    if isinstance(pool, SchedulerPool):
        return (GPU_TAINT, SCHEDULER_TAINT) if pool.has_gpus else (SCHEDULER_TAINT,)
    return (GPU_TAINT,) if pool.has_gpus else (WORKER_TAINT,)


def clients_per_gpu(pool: GpuPool) -> int:
    """Pods that share one GPU, or one partition, in turns; 1 means that GPUs are not shared."""
    if isinstance(pool, SchedulerPool):
        return pool.schedulers_per_gpu
    return pool.workers_per_gpu if isinstance(pool, WorkerPool) else 1


def partitions_per_gpu(pool: GpuPool) -> int:
    """What one GPU is divided into; 1 for a whole GPU, and for a size that the card has not."""
    size = partition_size(pool)
    row = partitions().get((pool.accelerator, size)) if size else None
    return row.per_gpu if row else 1


def partition_size(pool: GpuPool) -> str | None:
    """The MIG partitions of a pool's GPUs, as GKE spells their size."""
    return pool.gpu_partition_size if isinstance(pool, WorkerPool) else None


def gpu_slots(pool: GpuPool) -> int:
    """What each node has of ``nvidia.com/gpu``, and so the Dask pods that it takes.

    GKE's device plugin offers one for each client of each partition (or whole GPU).
    """
    return pool.gpus_per_node * partitions_per_gpu(pool) * clients_per_gpu(pool)


def images_on(pool: GpuPool, *, stack: Stack) -> tuple[str, ...]:
    """The images of the teams whose pods the pool carries, each once, in the teams' order."""
    return tuple(
        dict.fromkeys(
            contents.image.ref
            for _, team, contents in readable_images(stack)
            if isinstance(pool, SchedulerPool) or _has_workers_on(pool, team, stack)
        )
    )


def _has_workers_on(pool: GpuPool, team: Team, stack: Stack) -> bool:
    return any(each is pool for each in worker_pools_of(team, stack))


def room_on(pool: GpuPool, *, stack: Stack) -> NodeRoom | None:
    """The room on each node of a pool; ``None`` when the catalog lacks its machine type."""
    pulls = OLD_AND_NEW * len(images_on(pool, stack=stack)) if stack.image_prepull else 0
    return _room(pool, stack=stack, pulls=pulls)


def room_to_share(pool: GpuPool, *, stack: Stack) -> NodeRoom | None:
    """The room of which each worker gets its share where its team asks for nothing else.

    A GPU's share, and on a pool without GPUs the whole node. Without the pods that pull images:
    what a worker is must not depend on how many images other teams have, for then their changes,
    and switching ``image_prepull`` on, would replace it.
    """
    room = _room(pool, stack=stack, pulls=0)
    return replace(room, slots=1) if room and not pool.has_gpus else room


def _room(pool: GpuPool, *, stack: Stack, pulls: int) -> NodeRoom | None:
    machine = machines().get(pool.machine_type)
    if machine is None:
        return None
    max_pods = stack.network.max_pods_per_node
    if not pool.has_gpus:
        return cpu_node_room(machine, max_pods=max_pods, pulls=pulls)
    return gpu_node_room(machine, slots=gpu_slots(pool), max_pods=max_pods, pulls=pulls)
