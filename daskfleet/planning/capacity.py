"""Do all schedulers and workers fit the pools at their largest?"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from daskfleet.planning.chain_room import ChainShares, shares_of_chains
from daskfleet.planning.jupyter_room import placed_beside
from daskfleet.planning.node_room import NodeRoom
from daskfleet.planning.notebooks import notebooks_on
from daskfleet.planning.packing import Demand, Packing, pack
from daskfleet.planning.plan import PoolPlacement
from daskfleet.planning.pools import room_on
from daskfleet.planning.resources import GroupRequest, first_groups
from daskfleet.planning.shortage import (
    fallback_beside_workers,
    neighbours_of,
    schedulers_left,
    workers_beside_others,
    workers_beyond_the_chain,
    workers_beyond_the_pool,
)
from daskfleet.settings.pools import GpuPool, SchedulerPool, WorkerPool
from daskfleet.settings.problems import Problem
from daskfleet.settings.stack import Stack


@dataclass(frozen=True, kw_only=True)
class Capacity:
    """Where everything goes, and what goes nowhere."""

    placement: tuple[PoolPlacement, ...]
    problems: tuple[Problem, ...]
    warnings: tuple[str, ...]


def place(requests: Sequence[GroupRequest], *, stack: Stack) -> Capacity:
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
    firsts = first_groups(requests)
    order = sorted(firsts, key=_may_fall_back)
    packing = _pack_schedulers(order, pool, room)
    missing = {
        request.index: left for request, left in zip(order, packing.left_over, strict=True) if left
    }
    bound = [
        request for request in order if request.index in missing and not _may_fall_back(request)
    ]
    problems = [_schedulers_left(bound, order, pool=pool, room=room)] if bound else []
    warnings: list[str] = []
    placement = [PoolPlacement(pool=pool.name, nodes=packing.nodes)]
    falling_onto = {
        each.name: [
            request
            for request in firsts
            if request.pool is each and request.index in missing and _may_fall_back(request)
        ]
        for each in stack.worker_pools
    }
    schedulers_on = {
        name: [replace(request.schedulers, count=missing[request.index]) for request in falling]
        for name, falling in falling_onto.items()
    }
    chains = _shares(requests, schedulers_on, stack=stack)
    problems += [
        workers_beyond_the_chain(request, left=chains.left[request.key])
        for request in requests
        if chains.left.get(request.key)
    ]
    for worker_pool in stack.worker_pools:
        worker_room = room_on(worker_pool, stack=stack)
        if worker_room is None:
            continue
        users = [request for request in requests if worker_pool in request.chain]
        falling = falling_onto[worker_pool.name]
        demands = [chains.on(worker_pool.name, each, each.workers) for each in users]
        demands += schedulers_on[worker_pool.name]
        packing = _pack(demands, worker_pool, worker_room, whole=[True] * len(demands))
        wanted = list(zip([*users, *falling], demands, strict=True))
        left = tuple(_pods_left(wanted, packing, worker_pool, worker_room))
        if not left:
            packing, left = placed_beside(
                demands, packing, pool=worker_pool, room=worker_room, stack=stack
            )
        problems += left
        placement.append(PoolPlacement(pool=worker_pool.name, nodes=packing.nodes))
        notebooks = [each.demand for each in notebooks_on(worker_pool, stack)]
        warnings += _worker_warnings(users, demands, notebooks, worker_pool, worker_room)
    return Capacity(placement=tuple(placement), problems=tuple(problems), warnings=tuple(warnings))


def _shares(
    requests: Sequence[GroupRequest],
    schedulers_on: Mapping[str, Sequence[Demand]],
    *,
    stack: Stack,
) -> ChainShares:
    """What chains have of each pool beside its own workers, schedulers and JupyterLabs."""
    beside = {
        pool.name: [
            *(each.workers for each in requests if each.chain == (pool,)),
            *schedulers_on[pool.name],
            *(each.demand for each in notebooks_on(pool, stack)),
        ]
        for pool in stack.worker_pools
    }
    return shares_of_chains(
        requests, demand_of=lambda request: request.workers, beside=beside, stack=stack
    )


def _may_fall_back(request: GroupRequest) -> bool:
    """One that asks for no GPU may not: it would take a worker's without anybody counting it."""
    return request.team.scheduler.fallback == "worker-pool" and request.scheduler.gpus > 0


def _pack_schedulers(order: Sequence[GroupRequest], pool: SchedulerPool, room: NodeRoom) -> Packing:
    """Schedulers that may fall back stay with as many as there is room for, others with all.

    One that fits on no node is a problem of its own.
    """
    demands = [
        request.schedulers if request.schedulers.fitting(room) else request.schedulers.none_of_it()
        for request in order
    ]
    is_bound = [not _may_fall_back(request) for request in order]
    return _pack(demands, pool, room, whole=is_bound)


def _schedulers_left(
    bound: Sequence[GroupRequest],
    order: Sequence[GroupRequest],
    *,
    pool: SchedulerPool,
    room: NodeRoom,
) -> Problem:
    together = pack([request.schedulers for request in order], room=room, nodes=pool.max_nodes)
    left = sum(
        left
        for request, left in zip(order, together.left_over, strict=True)
        if not _may_fall_back(request)
    )
    needed = sum(request.schedulers.count for request in order)
    return schedulers_left(bound, requests=order, fitting=needed - left, pool=pool, room=room)


def _pack(
    demands: Sequence[Demand], pool: GpuPool, room: NodeRoom, *, whole: Sequence[bool]
) -> Packing:
    """Pack the demands; of those that are wanted ``whole``, what could be there alone.

    The rest of them would hide that others have room, and is left over as it is.
    """
    is_out = [
        is_whole and demand.count > pool.max_nodes * demand.fitting(room)
        for demand, is_whole in zip(demands, whole, strict=True)
    ]
    possible = [
        demand.none_of_it() if out else demand for demand, out in zip(demands, is_out, strict=True)
    ]
    packing = pack(possible, room=room, nodes=pool.max_nodes)
    left = (
        demand.count if out else left
        for demand, out, left in zip(demands, is_out, packing.left_over, strict=True)
    )
    return Packing(nodes=packing.nodes, left_over=tuple(left))


def _pods_left(
    wanted: Sequence[tuple[GroupRequest, Demand]],
    packing: Packing,
    pool: WorkerPool,
    room: NodeRoom,
) -> Iterator[Problem]:
    """What finds no place on a worker pool: of workers, and of schedulers that fall onto it."""
    neighbours = list(neighbours_of(wanted))
    for position, ((request, demand), left) in enumerate(
        zip(wanted, packing.left_over, strict=True)
    ):
        others = neighbours[:position] + neighbours[position + 1 :]
        each = request.workers.fitting(room)
        if demand.component == "scheduler":
            if left:
                yield fallback_beside_workers(
                    request, falling=demand.count, left=left, neighbours=others, room=room
                )
        elif each and demand.count > pool.max_nodes * each:
            yield workers_beyond_the_pool(request, most=pool.max_nodes * each, room=room)
        elif each and left:
            yield workers_beside_others(request, left=left, neighbours=others, room=room)


def _worker_warnings(
    users: Sequence[GroupRequest],
    demands: Sequence[Demand],
    notebooks: Sequence[Demand],
    pool: WorkerPool,
    room: NodeRoom,
) -> Iterator[str]:
    if not users and not notebooks:
        yield f"Worker pool {pool.name} is used by no team."
        return
    is_mixed = len({each.slots for each in [*demands, *notebooks]}) > 1
    uneven = _uneven(users, notebooks, pool, room, is_mixed=is_mixed)
    if uneven and len(demands) + len(notebooks) > 1:
        yield (
            f"Pool {pool.name}: {uneven}. Everything fits in the order found here; pods "
            "that Kubernetes places in another order may leave one without a node."
        )
    taken = sum(each.count * each.slots for each in [*demands, *notebooks])
    spare = pool.max_nodes * room.slots - taken
    fallback_teams = [
        request.team.name for request in first_groups(users) if _may_fall_back(request)
    ]
    if fallback_teams and spare < 1:
        yield (
            f"Pool {pool.name} has no GPU to spare: if the scheduler pool fails, fallback "
            f"worker-pool helps {', '.join(fallback_teams)} only by taking a worker's place."
        )


def _uneven(
    users: Sequence[GroupRequest],
    notebooks: Sequence[Demand],
    pool: WorkerPool,
    room: NodeRoom,
    *,
    is_mixed: bool,
) -> str:
    """Those whose size makes the order of placement matter, and why; empty where there are none."""
    if not pool.has_gpus:
        sizes = {(request.workers.cpu_m, request.workers.memory_mib) for request in users}
        names = ", ".join(request.owner for request in users)
        return f"workers of {names} differ in size" if len(sizes) > 1 else ""
    owners = {
        "workers of": [
            request.owner
            for request in users
            if not request.workers.is_within_a_share(room)
            or (is_mixed and request.workers.slots > 1)
        ],
        "JupyterLab of": [each.team for each in notebooks if not each.is_within_a_share(room)],
    }
    large = [f"{what} {', '.join(names)}" for what, names in owners.items() if names]
    return f"{' and '.join(large)} take more than one GPU's share of a node" if large else ""
