"""Pure: how full the pools are, as one line for each."""

from catalog.accelerators import gpu_name
from planning.plan import FleetPlan, PoolPlacement
from planning.pools import gpu_pools
from review.model import PlacementLine
from settings.pools import SchedulerPool, WorkerPool


def placement_lines(plan: FleetPlan) -> tuple[PlacementLine, ...]:
    """The scheduler pool first, then the worker pools."""
    pools = {pool.name: pool for _, pool in gpu_pools(plan.stack)}
    return tuple(_line(placed, pools[placed.pool]) for placed in plan.placement)


def _line(placed: PoolPlacement, pool: SchedulerPool | WorkerPool) -> PlacementLine:
    used = sum(group.count for node in placed.nodes for group in node)
    gpus = pool.max_nodes * pool.gpus_per_node
    if isinstance(pool, SchedulerPool):
        room = gpus * pool.schedulers_per_gpu
        return PlacementLine(pool=pool.name, used=used, room=room, unit="scheduler slots")
    return PlacementLine(pool=pool.name, used=used, room=gpus, unit=gpu_name(pool.accelerator))
