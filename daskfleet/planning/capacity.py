"""Do all schedulers and workers fit the pools at their largest?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from daskfleet.planning.jupyter_room import placed_beside
from daskfleet.planning.node_room import NodeRoom
from daskfleet.planning.notebooks import notebooks_on
from daskfleet.planning.packing import Demand, Packing, pack
from daskfleet.planning.plan import PoolPlacement
from daskfleet.planning.pools import room_on
from daskfleet.planning.resources import Ask, firsts_of
from daskfleet.planning.shortage import (
    fallback_beside_workers,
    neighbours_of,
    schedulers_left,
    workers_beside_others,
    workers_beyond_the_pool,
)
from daskfleet.settings.pools import GpuPool, WorkerPool
from daskfleet.settings.problems import Problem
from daskfleet.settings.stack import Stack


@dataclass(frozen=True, kw_only=True)
class Capacity:
    """Where everything goes, and what goes nowhere."""

    placement: tuple[PoolPlacement, ...]
    problems: tuple[Problem, ...]
    warnings: tuple[str, ...]


def place(asks: Sequence[Ask], *, stack: Stack) -> Capacity:
    """Place the schedulers, then the workers and those schedulers that fall back to their GPUs.

    A scheduler with ``fallback: worker-pool`` counts on the scheduler pool while that has room,
    and on a worker's GPU only beyond: the scheduler pool is preferred, so nothing else happens
    while its nodes live. That a node may be gone is what ``fallback`` is for, and no reason to
    refuse; a warning says where there would then be no GPU to spare.
    """
    pool = stack.scheduler_pool
    room = room_on(pool, stack=stack)
    if room is None:
        return Capacity(placement=(), problems=(), warnings=())
    firsts = firsts_of(asks)
    order = sorted(firsts, key=_may_fall_back)
    packing = _pack([ask.schedulers for ask in order], pool, room)
    missing = {ask.index: left for ask, left in zip(order, packing.left_over, strict=True) if left}
    homeless = [ask for ask in order if ask.index in missing]
    bound = [ask for ask in homeless if not _may_fall_back(ask)]
    needed = sum(ask.schedulers.count for ask in firsts)
    fitting = needed - sum(missing[ask.index] for ask in bound)
    problems = (
        [schedulers_left(bound, asks=firsts, fitting=fitting, pool=pool, room=room)]
        if bound
        else []
    )
    warnings: list[str] = []
    placement = [PoolPlacement(pool=pool.name, nodes=packing.nodes)]
    for worker_pool in stack.worker_pools:
        worker_room = room_on(worker_pool, stack=stack)
        if worker_room is None:
            continue
        users = [ask for ask in asks if ask.pool is worker_pool]
        falling = [ask for ask in users if ask in homeless and _may_fall_back(ask)]
        demands = [ask.workers for ask in users]
        demands += [replace(ask.schedulers, count=missing[ask.index]) for ask in falling]
        packing = _pack(demands, worker_pool, worker_room)
        left = tuple(_pods_left(users, falling, packing, worker_room))
        if not left:
            packing, left = placed_beside(
                demands, packing, pool=worker_pool, room=worker_room, stack=stack
            )
        problems += left
        placement.append(PoolPlacement(pool=worker_pool.name, nodes=packing.nodes))
        notebooks = [each.demand for each in notebooks_on(worker_pool, stack)]
        warnings += _worker_warnings(users, demands, notebooks, worker_pool, worker_room)
    return Capacity(placement=tuple(placement), problems=tuple(problems), warnings=tuple(warnings))


def _may_fall_back(ask: Ask) -> bool:
    return ask.team.scheduler.fallback == "worker-pool"


def _pack(demands: Sequence[Demand], pool: GpuPool, room: NodeRoom) -> Packing:
    """Pack what could be there alone; the rest has problems of its own and would hide others."""
    possible = [
        demand if demand.count <= pool.max_nodes * demand.fitting(room) else demand.none_of_it()
        for demand in demands
    ]
    return pack(possible, room=room, nodes=pool.max_nodes)


def _pods_left(
    users: Sequence[Ask], falling: Sequence[Ask], packing: Packing, room: NodeRoom
) -> Iterator[Problem]:
    neighbours = list(neighbours_of(users, falling))
    for position, (ask, left) in enumerate(zip([*users, *falling], packing.left_over, strict=True)):
        others = neighbours[:position] + neighbours[position + 1 :]
        each = ask.workers.fitting(room)
        if position >= len(users):
            if left:
                yield fallback_beside_workers(ask, neighbours=others, room=room)
        elif each and ask.workers.count > ask.pool.max_nodes * each:
            yield workers_beyond_the_pool(ask, most=ask.pool.max_nodes * each, room=room)
        elif left:
            yield workers_beside_others(ask, left=left, neighbours=others, room=room)


def _worker_warnings(
    users: Sequence[Ask],
    demands: Sequence[Demand],
    notebooks: Sequence[Demand],
    pool: WorkerPool,
    room: NodeRoom,
) -> Iterator[str]:
    if not users and not notebooks:
        yield f"Worker pool {pool.name} is used by no team."
        return
    uneven = _uneven(users, notebooks, pool, room)
    if uneven and len(demands) + len(notebooks) > 1:
        yield (
            f"Pool {pool.name}: {uneven}. Everything fits in the order found here; pods "
            "that Kubernetes places in another order may leave one without a node."
        )
    spare = pool.max_nodes * room.slots - sum(each.count for each in [*demands, *notebooks])
    hoping = [ask.team.name for ask in firsts_of(users) if _may_fall_back(ask)]
    if hoping and spare < 1:
        yield (
            f"Pool {pool.name} has no GPU to spare: if the scheduler pool fails, fallback "
            f"worker-pool helps {', '.join(hoping)} only by taking a worker's place."
        )


def _uneven(
    users: Sequence[Ask], notebooks: Sequence[Demand], pool: WorkerPool, room: NodeRoom
) -> str:
    """Those whose size makes the order of placement matter, and why; empty where there are none."""
    if not pool.has_gpus:
        sizes = {(ask.workers.cpu_m, ask.workers.memory_mib) for ask in users}
        names = ", ".join(ask.owner for ask in users)
        return f"workers of {names} differ in size" if len(sizes) > 1 else ""
    owners = {
        "workers of": [ask.owner for ask in users if not ask.workers.is_within_a_share(room)],
        "JupyterLab of": [each.team for each in notebooks if not each.is_within_a_share(room)],
    }
    large = [f"{what} {', '.join(names)}" for what, names in owners.items() if names]
    return f"{' and '.join(large)} take more than one GPU's share of a node" if large else ""
