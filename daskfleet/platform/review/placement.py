"""Pure: how full the pools are, as one line for each."""

from daskfleet.catalog.accelerators import gpu_name
from daskfleet.planning.plan import FleetPlan, PoolPlacement
from daskfleet.planning.pools import dask_pools, gpu_slots
from daskfleet.platform.review.model import PlacementLine
from daskfleet.settings.pools import SchedulerPool, WorkerPool


def placement_lines(plan: FleetPlan) -> tuple[PlacementLine, ...]:
    """The scheduler pool first, then the worker pools."""
    pools = {pool.name: pool for _, pool in dask_pools(plan.stack)}
    return tuple(_line(placed, pools[placed.pool]) for placed in plan.placement)


def _line(placed: PoolPlacement, pool: SchedulerPool | WorkerPool) -> PlacementLine:
    if not pool.has_gpus:
        return PlacementLine(
            pool=pool.name, used=len(placed.nodes), room=pool.max_nodes, unit="nodes"
        )
    used = sum(group.count * group.slots for node in placed.nodes for group in node)
    room = pool.max_nodes * gpu_slots(pool)
    return PlacementLine(pool=pool.name, used=used, room=room, unit=_unit(pool))


def _unit(pool: SchedulerPool | WorkerPool) -> str:
    """What a Dask pod takes of a pool."""
    if isinstance(pool, SchedulerPool):
        return "scheduler slots"
    size = f" {pool.gpu_partition_size}" if pool.gpu_partition_size else ""
    shares = " shares" if pool.workers_per_gpu > 1 else ""
    return f"{gpu_name(pool.accelerator)}{size}{shares}"
