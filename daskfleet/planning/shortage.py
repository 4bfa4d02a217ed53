"""What to say when pods find no place, and what to do about it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from daskfleet.planning.node_room import NodeRoom
from daskfleet.planning.packing import Demand
from daskfleet.planning.pools import clients_per_gpu, partition_size
from daskfleet.planning.resources import GroupRequest
from daskfleet.settings.pools import GpuPool, SchedulerPool, WorkerPool
from daskfleet.settings.problems import Problem, listed


def schedulers_left(
    unplaced: Sequence[GroupRequest],
    *,
    requests: Sequence[GroupRequest],
    fitting: int,
    pool: SchedulerPool,
    room: NodeRoom,
) -> Problem:
    """The problem of schedulers that have nowhere to go.

    Args:
        unplaced: of the teams whose schedulers find no place.
        requests: of all teams.
        fitting: how many of them find a place.
        pool: the scheduler pool.
        room: the room on each of its nodes.
    """
    needed = sum(request.schedulers.count for request in requests)
    sizes = sorted(
        {
            f"{request.scheduler.cpu:g} cores and {request.scheduler.memory_gib:g} GiB"
            for request in unplaced
        }
    )
    is_shared = pool.schedulers_per_gpu > 1
    slots = pool.max_nodes * room.slots
    # Where the GPUs have room, sharing them among more would help nobody.
    helps = pool.has_gpus and needed > slots
    sharing = "schedulers_per_gpu (GPU time-sharing, at no cost), " if helps else ""
    gpus = f"the GPUs have room for {slots}, and " if pool.has_gpus else ""
    fallback = "; or give teams scheduler.fallback worker-pool" if pool.has_gpus else ""
    return Problem(
        key="scheduler_pool",
        value=_largest(pool)
        + (f", shared by {pool.schedulers_per_gpu} schedulers each" if is_shared else ""),
        reason=f"{needed} schedulers are needed, one per {_clusters(requests)}, but {fitting} fit: "
        f"{gpus}each node has {room.text} for "
        f"{_pods(room)}, where a scheduler asks for {', '.join(sizes)}. No place for team "
        f"{listed([request.team.name for request in unplaced])}.",
        allowed=f"room for {needed} schedulers",
        next_step=f"raise {sharing}node_count or the machine type of scheduler_pool{fallback}.",
    )


def workers_beyond_the_pool(request: GroupRequest, *, most: int, room: NodeRoom) -> Problem:
    """The problem of a team that would not fit if it were alone."""
    return Problem(
        key=_workers_key(request),
        value=str(_declared(request)),
        reason=f"{_worker_pool(request, room)}{_own(request)} That is room for {most}, even "
        f"without other {_owner(request)}s.",
        allowed=f"at most {most}, less what other teams use of pool {request.pool.name}",
        next_step=_next_step(request.pool),
    )


def workers_beyond_the_chain(request: GroupRequest, *, left: int) -> Problem:
    """The problem of workers that none of their chain's pools has room for."""
    sizes = "; ".join(f"{pool.name} has {_largest(pool)}" for pool in request.chain)
    return Problem(
        key=_workers_key(request),
        value=str(_declared(request)),
        reason=f"These workers may run on {listed([pool.name for pool in request.chain])}: "
        f"{sizes}. A worker of this {_owner(request)} asks for {request.worker.size}."
        f"{_own(request)} Beside what else is on these pools, {left} find no place on any of them.",
        allowed=f"at most {max(0, _declared(request) - left)} beside the others on these pools",
        next_step="ask for fewer workers, raise autoscaling.max_nodes or node_count of one of "
        "these pools, or add a pool to the chain.",
    )


def workers_beside_others(
    request: GroupRequest, *, left: int, neighbours: Sequence[str], room: NodeRoom
) -> Problem:
    """The problem of a team that does not fit beside the other teams of its pool."""
    return Problem(
        key=_workers_key(request),
        value=str(_declared(request)),
        reason=f"{_worker_pool(request, room)}{_own(request)} Beside {listed(neighbours)}, {left} "
        f"of this {_owner(request)}'s workers find no place.",
        allowed=f"at most {max(0, _declared(request) - left)} beside the other {_owner(request)}s",
        next_step=_next_step(request.pool),
    )


def fallback_beside_workers(
    request: GroupRequest, *, falling: int, left: int, neighbours: Sequence[str], room: NodeRoom
) -> Problem:
    """The problem of schedulers that may fall back onto a pool where no GPU is left.

    Args:
        request: of their team.
        falling: how many find no place on the scheduler pool.
        left: how many of those find none on the worker pool either.
        neighbours: everything else that the worker pool must hold.
        room: the room on each of its nodes.
    """
    needed = request.schedulers.count
    which = (
        "this scheduler would take a worker's GPU"
        if needed == 1
        else f"{falling} of this team's {needed} schedulers (one, and ephemeral.max_clusters) "
        "would take workers' GPUs"
    )
    none_left = "none is left" if falling == 1 else f"{left} find none"
    return Problem(
        key=f"teams[{request.index}].scheduler.fallback",
        value=request.team.scheduler.fallback,
        reason=f"The scheduler pool is full, and {which}. "
        f"{_worker_pool(request, room)} Beside {listed(neighbours)} {none_left}.",
        allowed="a scheduler pool or a worker pool with room for this scheduler",
        next_step="raise scheduler_pool.schedulers_per_gpu (GPU time-sharing, at no cost), or "
        f"{_next_step(request.pool)}",
    )


@dataclass(frozen=True, kw_only=True)
class Roll:
    """What a pool must hold while teams have two clusters, in pods or in their GPUs."""

    teams: tuple[str, ...]
    """The teams that roll blue-green."""

    needed_now: int
    needed_at_once: int
    short_by: int
    nodes_needed: int
    is_in_gpus: bool = False
    """Whether the figures are GPUs: where a pod has several of them."""


def both_clusters(
    roll: Roll, *, key: str, pool: SchedulerPool | WorkerPool, room: NodeRoom
) -> Problem:
    """The problem of a pool that holds all clusters, but not the new ones beside the old ones."""
    is_for_schedulers = isinstance(pool, SchedulerPool)
    pods = "schedulers" if is_for_schedulers else "GPUs" if roll.is_in_gpus else "pods"
    slots = pool.max_nodes * room.slots
    # Where the GPUs have room, sharing them among more would help nobody.
    helps = is_for_schedulers and pool.has_gpus and roll.needed_at_once > slots
    sharing = "raise schedulers_per_gpu (GPU time-sharing, at no cost), or " if helps else ""
    places = f"{slots} GPUs" if roll.is_in_gpus else f"GPUs for {slots} {pods}"
    has = f"The pool has {places}, and each" if pool.has_gpus else "Each"
    at_once = ", and one `up` may roll them all at once" if len(roll.teams) > 1 else ""
    return Problem(
        key=key,
        value=_largest(pool),
        reason=f"Rollout blue-green brings up a second cluster of {listed(roll.teams)} beside "
        f"the first{at_once}. {has} node{'' if pool.has_gpus else ' has'} {room.text} for "
        f"{_pods(room)}; "
        f"{roll.needed_now} are needed now, {roll.needed_at_once} during such a roll: short by "
        f"{roll.short_by}.",
        allowed=f"room for {roll.needed_at_once} {pods}",
        next_step=f"{sharing}raise {_size(pool)} of the pool to {roll.nodes_needed}; or give a "
        "team rollout recreate, which needs no second cluster.",
    )


def neighbours_of(wanted: Iterable[tuple[GroupRequest, Demand]]) -> Iterator[str]:
    """Everything that a pool must hold, in words."""
    for request, demand in wanted:
        if demand.component == "scheduler":
            yield f"the scheduler of {request.team.name}"
        else:
            yield f"{demand.count} worker{'s' * (demand.count != 1)} of {request.owner}"


def _clusters(requests: Sequence[GroupRequest]) -> str:
    """What there is a scheduler for."""
    own = any(request.team.ephemeral for request in requests)
    return "team and for each cluster of its own (ephemeral.max_clusters)" if own else "team"


def _own(request: GroupRequest) -> str:
    """Workers that a team wants besides those of its fixed cluster."""
    if request.group or request.team.ephemeral is None:
        return ""
    return f" It wants {request.team.ephemeral.max_workers} more (ephemeral.max_workers)."


def _declared(request: GroupRequest) -> int:
    """The number that the stack file has."""
    return request.group.workers if request.group else request.team.maximum_workers


def _workers_key(request: GroupRequest) -> str:
    is_adaptive = request.group is None and request.team.adaptive is not None
    return f"{request.key}." + ("adaptive.maximum" if is_adaptive else "workers")


def _owner(request: GroupRequest) -> str:
    return "group" if request.group else "team"


def _worker_pool(request: GroupRequest, room: NodeRoom) -> str:
    return (
        f"Pool {request.pool.name} has {_largest(request.pool)}, and each node {room.text} for "
        f"{_pods(room)}; a worker of this {_owner(request)} asks for "
        f"{_gpus(request)}{request.worker.cpu:g} cores and {request.worker.memory_gib:g} GiB."
    )


def _gpus(request: GroupRequest) -> str:
    return f"{request.worker.gpus} GPUs, " if request.worker.gpus > 1 else ""


def _pods(room: NodeRoom) -> str:
    is_short = room.pods < room.slots
    return f"{room.pods} pods of ours (network.max_pods_per_node)" if is_short else "pods of ours"


def _largest(pool: GpuPool) -> str:
    nodes = f"{pool.max_nodes} node{'s' * (pool.max_nodes != 1)}"
    if not pool.has_gpus:
        return f"at most {nodes} x {pool.machine_type}"
    size = partition_size(pool)
    shares = clients_per_gpu(pool) if isinstance(pool, WorkerPool) else 1
    divided = f" in partitions of {size}" if size else ""
    shared = f" for {shares} workers each" if shares > 1 else ""
    return f"at most {nodes} x {pool.gpus_per_node} {pool.accelerator}{divided}{shared}"


def _size(pool: GpuPool) -> str:
    return "autoscaling.max_nodes" if pool.autoscaling else "node_count"


def _next_step(pool: WorkerPool) -> str:
    return (
        f"ask for fewer workers, raise {_size(pool)} of pool {pool.name}, or move a team to "
        "another."
    )
