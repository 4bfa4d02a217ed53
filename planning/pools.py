"""The GPU pools of a stack: their keys in the stack file, their teams' images, and their room."""

from catalog.machines import machines
from planning.node_contract import GPU_TAINT, SCHEDULER_TAINT, Taint
from planning.node_room import NodeRoom, gpu_node_room
from planning.team_images import team_images
from settings.pools import GpuPool, SchedulerPool, WorkerPool
from settings.stack import Stack
from settings.team import Team

OLD_AND_NEW = 2
"""An image that takes another's place is pulled beside it: the old one's pods go last."""


def gpu_pools(stack: Stack) -> tuple[tuple[str, SchedulerPool | WorkerPool], ...]:
    """All GPU pools, the scheduler pool first."""
    workers = ((f"worker_pools[{index}]", pool) for index, pool in enumerate(stack.worker_pools))
    return (("scheduler_pool", stack.scheduler_pool), *workers)


def worker_pool_of(team: Team, stack: Stack) -> WorkerPool | None:
    """The pool of a team's workers; ``None`` when the stack file leaves it open or misnames it."""
    if team.worker_pool is None:
        return stack.worker_pools[0] if len(stack.worker_pools) == 1 else None
    return next((pool for pool in stack.worker_pools if pool.name == team.worker_pool), None)


def taints_of(pool: SchedulerPool | WorkerPool) -> tuple[Taint, ...]:
    """What keeps other pods off the nodes of a pool."""
    return (GPU_TAINT, SCHEDULER_TAINT) if isinstance(pool, SchedulerPool) else (GPU_TAINT,)


def images_on(pool: GpuPool, *, stack: Stack) -> tuple[str, ...]:
    """The images of the teams whose pods the pool carries, each once, in the teams' order."""
    return tuple(
        dict.fromkeys(
            each.contents.image.ref
            for each in team_images(stack)
            if isinstance(pool, SchedulerPool) or worker_pool_of(each.team, stack) is pool
        )
    )


def room_on(pool: GpuPool, *, stack: Stack) -> NodeRoom | None:
    """The room on each node of a pool; ``None`` when the catalog lacks its machine type."""
    pulls = OLD_AND_NEW * len(images_on(pool, stack=stack)) if stack.image_prepull else 0
    return _room(pool, stack=stack, pulls=pulls)


def room_to_share(pool: GpuPool, *, stack: Stack) -> NodeRoom | None:
    """The room of which each worker gets its GPU's share where its team asks for nothing else.

    Without the pods that pull images: what a worker is must not depend on how many images other
    teams have, for then their changes, and switching ``image_prepull`` on, would exchange it.
    """
    return _room(pool, stack=stack, pulls=0)


def _room(pool: GpuPool, *, stack: Stack, pulls: int) -> NodeRoom | None:
    machine = machines().get(pool.machine_type)
    if machine is None:
        return None
    shares = pool.schedulers_per_gpu if isinstance(pool, SchedulerPool) else 1
    return gpu_node_room(
        machine,
        slots=pool.gpus_per_node * shares,
        max_pods=stack.network.max_pods_per_node,
        pulls=pulls,
    )
