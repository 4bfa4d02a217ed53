"""The GPU pools of a stack, each with the key under which a stack file has it."""

from catalog.machines import machines
from planning.node_room import NodeRoom, gpu_node_room
from settings.pools import GpuPool, SchedulerPool, WorkerPool
from settings.stack import Stack
from settings.team import Team


def gpu_pools(stack: Stack) -> tuple[tuple[str, SchedulerPool | WorkerPool], ...]:
    """All GPU pools, the scheduler pool first."""
    workers = ((f"worker_pools[{index}]", pool) for index, pool in enumerate(stack.worker_pools))
    return (("scheduler_pool", stack.scheduler_pool), *workers)


def worker_pool_of(team: Team, stack: Stack) -> WorkerPool | None:
    """The pool of a team's workers; ``None`` when the stack file leaves it open or misnames it."""
    if team.worker_pool is None:
        return stack.worker_pools[0] if len(stack.worker_pools) == 1 else None
    return next((pool for pool in stack.worker_pools if pool.name == team.worker_pool), None)


def room_on(pool: GpuPool, *, stack: Stack) -> NodeRoom | None:
    """The room on each node of a pool; ``None`` when the catalog lacks its machine type."""
    machine = machines().get(pool.machine_type)
    if machine is None:
        return None
    shares = pool.schedulers_per_gpu if isinstance(pool, SchedulerPool) else 1
    return gpu_node_room(
        machine, slots=pool.gpus_per_node * shares, max_pods=stack.network.max_pods_per_node
    )
