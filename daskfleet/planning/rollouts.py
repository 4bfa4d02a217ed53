"""Do the pools hold two clusters of every blue-green team at once?

Nobody knows at preview which teams an ``up`` will roll, and Pulumi deletes the old clusters only
when every new one is ready. So all of them count twice, at the same time.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from daskfleet.planning.chain_room import shares_of_chains
from daskfleet.planning.node_room import NodeRoom
from daskfleet.planning.notebooks import notebooks_on
from daskfleet.planning.packing import Demand, pack
from daskfleet.planning.pools import dask_pools, room_on
from daskfleet.planning.resources import GroupRequest, first_groups
from daskfleet.planning.shortage import Roll, both_clusters
from daskfleet.settings.pools import SchedulerPool, WorkerPool
from daskfleet.settings.problems import Problem
from daskfleet.settings.stack import Stack
from daskfleet.settings.team import Team


def clusters_at_once(team: Team) -> int:
    """How many Dask clusters of a team there may be while one takes over from the other."""
    return 2 if team.rollout.kind == "blue-green" else 1


@dataclass(frozen=True, kw_only=True)
class _Load:
    """What one pool must hold, and how much of it finds no place."""

    key: str
    pool: SchedulerPool | WorkerPool
    room: NodeRoom
    demands: tuple[Demand, ...]
    left: int
    """In slots, as ``needed``."""

    @property
    def needed(self) -> int:
        """In slots: a pod with several GPUs takes as many."""
        return sum(demand.count * demand.slots for demand in self.demands)

    @property
    def is_possible(self) -> bool:
        """Whether more nodes would help; a pod that fits on none is a problem of its own."""
        return all(demand.fitting(self.room) for demand in self.demands)


def roll_problems(requests: Sequence[GroupRequest], *, stack: Stack) -> Iterator[Problem]:
    """Pools that hold every team, but not both clusters of those that roll blue-green."""
    settled = _loads(requests, stack=stack, clusters=lambda _: 1)
    rolling = _loads(requests, stack=stack, clusters=lambda request: clusters_at_once(request.team))
    for now, peak in zip(settled, rolling, strict=True):
        if peak.left and not now.left and peak.is_possible:
            yield both_clusters(
                Roll(
                    teams=tuple(
                        a.team.name for a in first_groups(requests) if clusters_at_once(a.team) > 1
                    ),
                    needed_now=now.needed,
                    needed_at_once=peak.needed,
                    short_by=peak.left,
                    nodes_needed=_nodes_needed(peak),
                    is_in_gpus=any(demand.slots > 1 for demand in peak.demands),
                ),
                key=peak.key,
                pool=peak.pool,
                room=peak.room,
            )


def _loads(
    requests: Sequence[GroupRequest], *, stack: Stack, clusters: Callable[[GroupRequest], int]
) -> Iterator[_Load]:
    """The scheduler pool first: what finds no place there may fall back onto a worker pool."""
    falling: dict[str, Demand] = {}
    chains: dict[str, list[Demand]] = {}
    for key, pool in dask_pools(stack):
        room = room_on(pool, stack=stack)
        if room is None:
            continue
        if isinstance(pool, SchedulerPool):
            firsts = first_groups(requests)
            demands = [request.schedulers_of(clusters(request)) for request in firsts]
            left = _left(demands, room, nodes=pool.max_nodes)
            for index, request in enumerate(firsts):
                if left[index] and request.team.scheduler.fallback == "worker-pool":
                    falling[request.team.name] = replace(demands[index], count=left[index])
                    demands[index] = replace(
                        demands[index], count=demands[index].count - left[index]
                    )
            chains = _chains(requests, falling, stack=stack, clusters=clusters)
        else:
            demands = _bound(pool, requests, falling, stack=stack, clusters=clusters)
            demands += chains.get(pool.name, [])
        yield _Load(
            key=key,
            pool=pool,
            room=room,
            demands=tuple(demands),
            left=sum(
                left * demand.slots
                for left, demand in zip(
                    _left(demands, room, nodes=pool.max_nodes), demands, strict=True
                )
            ),
        )


def _bound(
    pool: WorkerPool,
    requests: Sequence[GroupRequest],
    falling: Mapping[str, Demand],
    *,
    stack: Stack,
    clusters: Callable[[GroupRequest], int],
) -> list[Demand]:
    """Everything that can be on this pool alone."""
    users = [request for request in requests if request.chain == (pool,)]
    demands = [request.workers_of(clusters(request)) for request in users]
    demands += [falling[a.team.name] for a in first_groups(users) if a.team.name in falling]
    return demands + [each.demand for each in notebooks_on(pool, stack)]


def _chains(
    requests: Sequence[GroupRequest],
    falling: Mapping[str, Demand],
    *,
    stack: Stack,
    clusters: Callable[[GroupRequest], int],
) -> dict[str, list[Demand]]:
    """The workers of chains by pool; what finds no place counts on the chain's last."""
    beside = {
        pool.name: _bound(pool, requests, falling, stack=stack, clusters=clusters)
        for pool in stack.worker_pools
    }
    shares = shares_of_chains(
        requests,
        demand_of=lambda request: request.workers_of(clusters(request)),
        beside=beside,
        stack=stack,
    )
    on_pools: dict[str, list[Demand]] = {}
    for request in requests:
        for pool in request.chain if request.fallbacks else ():
            share = shares.demands[request.key, pool.name]
            extra = shares.left[request.key] if pool is request.chain[-1] else 0
            demand = replace(share, count=share.count + extra)
            on_pools.setdefault(pool.name, []).append(demand)
    return on_pools


def _left(demands: Sequence[Demand], room: NodeRoom, *, nodes: int) -> tuple[int, ...]:
    return pack(demands, room=room, nodes=nodes).left_over


def _nodes_needed(load: _Load) -> int:
    """The least size of the pool that holds everything: a pod takes the first node with room."""
    enough = load.pool.max_nodes + load.left
    return len(pack(load.demands, room=load.room, nodes=enough).nodes)
