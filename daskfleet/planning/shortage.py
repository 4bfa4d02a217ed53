"""What to say when pods find no place, and what to do about it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from daskfleet.planning.node_room import NodeRoom
from daskfleet.planning.pools import clients_per_gpu, partition_size
from daskfleet.planning.resources import Ask
from daskfleet.settings.pools import GpuPool, SchedulerPool, WorkerPool
from daskfleet.settings.problems import Problem, listed


def schedulers_left(
    homeless: Sequence[Ask],
    *,
    asks: Sequence[Ask],
    fitting: int,
    pool: SchedulerPool,
    room: NodeRoom,
) -> Problem:
    """The problem of schedulers that have nowhere to go.

    Args:
        homeless: the teams whose schedulers find no place.
        asks: all teams.
        fitting: how many of them find a place.
        pool: the scheduler pool.
        room: the room on each of its nodes.
    """
    needed = sum(ask.schedulers.count for ask in asks)
    sizes = sorted(
        {f"{ask.scheduler.cpu:g} cores and {ask.scheduler.memory_gib:g} GiB" for ask in homeless}
    )
    is_shared = pool.schedulers_per_gpu > 1
    slots = pool.max_nodes * room.slots
    # Where the GPUs have room, sharing them among more would help nobody.
    sharing = "schedulers_per_gpu (GPU time-sharing, at no cost), " if needed > slots else ""
    return Problem(
        key="scheduler_pool",
        value=_largest(pool)
        + (f", shared by {pool.schedulers_per_gpu} schedulers each" if is_shared else ""),
        reason=f"{needed} schedulers are needed, one per {_clusters(asks)}, but {fitting} fit: "
        f"the GPUs have room for {slots}, and each node has {room.text} for "
        f"{_pods(room)}, where a scheduler asks for {', '.join(sizes)}. No place for team "
        f"{listed([ask.team.name for ask in homeless])}.",
        allowed=f"room for {needed} schedulers",
        next_step=f"raise {sharing}node_count or the machine type of scheduler_pool; or give teams "
        "scheduler.fallback worker-pool.",
    )


def workers_beyond_the_pool(ask: Ask, *, most: int, room: NodeRoom) -> Problem:
    """The problem of a team that would not fit if it were alone."""
    return Problem(
        key=_workers_key(ask),
        value=str(_declared(ask)),
        reason=f"{_worker_pool(ask, room)}{_own(ask)} That is room for {most}, even without other "
        f"{_owner(ask)}s.",
        allowed=f"at most {most}, less what other teams use of pool {ask.pool.name}",
        next_step=_next_step(ask.pool),
    )


def workers_beside_others(
    ask: Ask, *, left: int, neighbours: Sequence[str], room: NodeRoom
) -> Problem:
    """The problem of a team that does not fit beside the other teams of its pool."""
    return Problem(
        key=_workers_key(ask),
        value=str(_declared(ask)),
        reason=f"{_worker_pool(ask, room)}{_own(ask)} Beside {listed(neighbours)}, {left} of "
        f"this {_owner(ask)}'s workers find no place.",
        allowed=f"at most {max(0, _declared(ask) - left)} beside the other {_owner(ask)}s",
        next_step=_next_step(ask.pool),
    )


def fallback_beside_workers(
    ask: Ask, *, falling: int, left: int, neighbours: Sequence[str], room: NodeRoom
) -> Problem:
    """The problem of schedulers that may fall back onto a pool where no GPU is left.

    Args:
        ask: their team.
        falling: how many find no place on the scheduler pool.
        left: how many of those find none on the worker pool either.
        neighbours: everything else that the worker pool must hold.
        room: the room on each of its nodes.
    """
    needed = ask.schedulers.count
    which = (
        "this scheduler would take a worker's GPU"
        if needed == 1
        else f"{falling} of this team's {needed} schedulers (one, and ephemeral.max_clusters) "
        "would take workers' GPUs"
    )
    none_left = "none is left" if falling == 1 else f"{left} find none"
    return Problem(
        key=f"teams[{ask.index}].scheduler.fallback",
        value=ask.team.scheduler.fallback,
        reason=f"The scheduler pool is full, and {which}. "
        f"{_worker_pool(ask, room)} Beside {listed(neighbours)} {none_left}.",
        allowed="a scheduler pool or a worker pool with room for this scheduler",
        next_step="raise scheduler_pool.schedulers_per_gpu (GPU time-sharing, at no cost), or "
        f"{_next_step(ask.pool)}",
    )


@dataclass(frozen=True, kw_only=True)
class Roll:
    """What a pool must hold while teams have two clusters, in pods that need a GPU."""

    teams: tuple[str, ...]
    """The teams that roll blue-green."""

    needed_now: int
    needed_at_once: int
    short_by: int
    nodes_needed: int


def both_clusters(
    roll: Roll, *, key: str, pool: SchedulerPool | WorkerPool, room: NodeRoom
) -> Problem:
    """The problem of a pool that holds all clusters, but not the new ones beside the old ones."""
    is_for_schedulers = isinstance(pool, SchedulerPool)
    pods = "schedulers" if is_for_schedulers else "pods"
    slots = pool.max_nodes * room.slots
    # Where the GPUs have room, sharing them among more would help nobody.
    helps = is_for_schedulers and roll.needed_at_once > slots
    sharing = "raise schedulers_per_gpu (GPU time-sharing, at no cost), or " if helps else ""
    has = f"The pool has GPUs for {slots} {pods}, and each" if pool.has_gpus else "Each"
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


def neighbours_of(users: Sequence[Ask], falling: Sequence[Ask]) -> Iterator[str]:
    """Everything that a pool must hold, in words."""
    for ask in users:
        count = ask.workers.count
        yield f"{count} worker{'s' * (count != 1)} of {ask.owner}"
    for ask in falling:
        yield f"the scheduler of {ask.team.name}"


def _clusters(asks: Sequence[Ask]) -> str:
    """What there is a scheduler for."""
    own = any(ask.team.ephemeral for ask in asks)
    return "team and for each cluster of its own (ephemeral.max_clusters)" if own else "team"


def _own(ask: Ask) -> str:
    """Workers that a team wants besides those of its fixed cluster."""
    if ask.group or ask.team.ephemeral is None:
        return ""
    return f" It wants {ask.team.ephemeral.max_workers} more (ephemeral.max_workers)."


def _declared(ask: Ask) -> int:
    """The number that the stack file has."""
    return ask.group.workers if ask.group else ask.team.most_workers


def _workers_key(ask: Ask) -> str:
    is_adaptive = ask.group is None and ask.team.adaptive is not None
    return f"{ask.key}." + ("adaptive.maximum" if is_adaptive else "workers")


def _owner(ask: Ask) -> str:
    return "group" if ask.group else "team"


def _worker_pool(ask: Ask, room: NodeRoom) -> str:
    return (
        f"Pool {ask.pool.name} has {_largest(ask.pool)}, and each node {room.text} for "
        f"{_pods(room)}; a worker of this {_owner(ask)} asks for {ask.worker.cpu:g} cores and "
        f"{ask.worker.memory_gib:g} GiB."
    )


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
