"""Do all schedulers and workers fit the pools at their largest?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from planning.node_room import NodeRoom
from planning.packing import Demand, Packing, pack
from planning.plan import PoolPlacement
from planning.pools import room_on
from planning.resources import Ask
from settings.pools import GpuPool, WorkerPool
from settings.problems import Problem
from settings.stack import Stack


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
    order = sorted(asks, key=_may_fall_back)
    packing = _pack([ask.one_scheduler for ask in order], pool, room)
    homeless = [ask for ask, left in zip(order, packing.left_over, strict=True) if left]
    problems = list(_schedulers_left(asks, homeless, stack, room))
    warnings: list[str] = []
    placement = [_placement(pool, room, packing)]
    for worker_pool in stack.worker_pools:
        worker_room = room_on(worker_pool, stack=stack)
        if worker_room is None:
            continue
        users = [ask for ask in asks if ask.pool is worker_pool]
        falling = [ask for ask in users if ask in homeless and _may_fall_back(ask)]
        demands = [ask.workers for ask in users] + [ask.one_scheduler for ask in falling]
        packing = _pack(demands, worker_pool, worker_room)
        placement.append(_placement(worker_pool, worker_room, packing))
        problems += _pods_left(users, falling, packing, worker_pool, worker_room)
        warnings += _worker_warnings(users, demands, worker_pool, worker_room)
    return Capacity(placement=tuple(placement), problems=tuple(problems), warnings=tuple(warnings))


def _may_fall_back(ask: Ask) -> bool:
    return ask.team.scheduler.fallback == "worker-pool"


def _pack(demands: Sequence[Demand], pool: GpuPool, room: NodeRoom) -> Packing:
    # What fits on no node at all has its own problem (planning.resources).
    possible = [demand if demand.fitting(room) else demand.none_of_it() for demand in demands]
    return pack(possible, room=room, nodes=pool.max_nodes)


def _placement(pool: GpuPool, room: NodeRoom, packing: Packing) -> PoolPlacement:
    return PoolPlacement(pool=pool.name, slots=pool.max_nodes * room.slots, nodes=packing.nodes)


def _size(pool: GpuPool) -> str:
    """A pool at its largest, as errors write it."""
    nodes = f"{pool.max_nodes} node{'s' if pool.max_nodes != 1 else ''}"
    return f"at most {nodes} x {pool.gpus_per_node} {pool.accelerator}"


def _schedulers_left(
    asks: Sequence[Ask], homeless: Sequence[Ask], stack: Stack, room: NodeRoom
) -> Iterator[Problem]:
    bound = [ask for ask in homeless if not _may_fall_back(ask)]
    if not bound:
        return
    pool = stack.scheduler_pool
    slots = pool.max_nodes * room.slots
    each = ", ".join(
        sorted({f"{a.scheduler.cpu:g} cores and {a.scheduler.memory_gib:g} GiB" for a in bound})
    )
    sharing = f", shared by {pool.schedulers_per_gpu} schedulers each" * (
        pool.schedulers_per_gpu > 1
    )
    fitting = len(asks) - len(homeless)
    yield Problem(
        key="scheduler_pool",
        value=f"{_size(pool)}{sharing}",
        reason=f"{len(asks)} schedulers are needed, one per team, but {fitting} fit: the GPUs have "
        f"room for {slots}, and each node has {room.text} for pods of ours, where a scheduler asks "
        f"for {each}. No place for team {', '.join(ask.team.name for ask in bound)}.",
        allowed=f"room for {len(asks)} schedulers",
        next_step="raise scheduler_pool.schedulers_per_gpu (GPU time-sharing, at no cost), its "
        "node_count or its machine type; or give teams scheduler.fallback worker-pool.",
    )


def _pods_left(
    users: Sequence[Ask],
    falling: Sequence[Ask],
    packing: Packing,
    pool: WorkerPool,
    room: NodeRoom,
) -> Iterator[Problem]:
    counts = [*(ask.team.workers for ask in users), *(1 for _ in falling)]
    wanted = ", ".join(
        [
            *(f"{ask.team.workers} workers of {ask.team.name}" for ask in users),
            *(f"the scheduler of {ask.team.name}, which falls back" for ask in falling),
        ]
    )
    pairs = zip([*users, *falling], packing.left_over, counts, strict=True)
    for position, (ask, left, count) in enumerate(pairs):
        if not left:
            continue
        is_worker = position < len(users)
        part = "workers" if is_worker else "scheduler.fallback"
        yield Problem(
            key=f"teams[{ask.index}].{part}",
            value=str(count) if is_worker else "worker-pool",
            reason=f"Pool {pool.name} has {_size(pool)}, and each node {room.text} for pods of "
            f"ours; a worker of this team asks for {ask.worker.cpu:g} cores and "
            f"{ask.worker.memory_gib:g} GiB. It must hold {wanted}; {left} of these find no place.",
            allowed=f"at most {count - left} beside the other teams",
            next_step=f"ask for fewer, raise {_size_key(pool)} of pool {pool.name}, or move a team "
            "to another pool.",
        )


def _size_key(pool: GpuPool) -> str:
    return "autoscaling.max_nodes" if pool.autoscaling else "node_count"


def _worker_warnings(
    users: Sequence[Ask], demands: Sequence[Demand], pool: WorkerPool, room: NodeRoom
) -> Iterator[str]:
    if not users:
        yield f"Worker pool {pool.name} is used by no team."
        return
    uneven = [ask.team.name for ask in users if not ask.workers.is_within_a_share(room)]
    if uneven and len(demands) > 1:
        yield (
            f"Pool {pool.name}: workers of {', '.join(uneven)} take more than one GPU's share of a "
            "node. Everything fits in the order found here; pods that Kubernetes places in "
            "another order may leave one without a node."
        )
    spare = pool.max_nodes * room.slots - sum(demand.count for demand in demands)
    hoping = [ask.team.name for ask in users if _may_fall_back(ask)]
    if hoping and spare < 1:
        yield (
            f"Pool {pool.name} has no GPU to spare: if the scheduler pool fails, fallback "
            f"worker-pool helps {', '.join(hoping)} only by taking a worker's place."
        )
