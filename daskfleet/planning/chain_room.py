"""How many of a chain's workers each of its pools carries, when all of them have their machines."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from daskfleet.planning.node_room import NodeRoom
from daskfleet.planning.packing import Demand, pack
from daskfleet.planning.pools import room_on
from daskfleet.planning.resources import GroupRequest
from daskfleet.settings.stack import Stack


@dataclass(frozen=True, kw_only=True)
class ChainShares:
    """The workers of every chain by pool; a group with one pool has all of its workers there."""

    demands: Mapping[tuple[str, str], Demand]
    """By the key of the group and the pool's name."""

    left: Mapping[str, int]
    """Workers of each chain that find no place on any of its pools, by the group's key."""

    def on(self, pool: str, request: GroupRequest, whole: Demand) -> Demand:
        """What of a group's demand is for a pool of its chain."""
        return self.demands[request.key, pool] if request.fallbacks else whole


def shares_of_chains(
    requests: Sequence[GroupRequest],
    *,
    demand_of: Callable[[GroupRequest], Demand],
    beside: Mapping[str, Sequence[Demand]],
    stack: Stack,
) -> ChainShares:
    """Fill each chain from its first pool on, with what the pools have left.

    Args:
        requests: of all groups.
        demand_of: the workers that a group wants.
        beside: everything else on each pool, by its name; it keeps its place.
        stack: the settings.
    """
    taken = {name: list(demands) for name, demands in beside.items()}
    demands: dict[tuple[str, str], Demand] = {}
    left: dict[str, int] = {}
    for request in requests:
        if not request.fallbacks:
            continue
        wanted = demand_of(request)
        missing = wanted.count
        for pool in request.chain:
            room = room_on(pool, stack=stack)
            others = taken.setdefault(pool.name, [])
            here = replace(wanted, count=missing)
            fitting = most_beside(here, others, room=room, nodes=pool.max_nodes) if room else 0
            demands[request.key, pool.name] = replace(wanted, count=fitting)
            others.append(replace(wanted, count=fitting))
            missing -= fitting
        left[request.key] = missing
    return ChainShares(demands=demands, left=left)


def most_beside(demand: Demand, others: Sequence[Demand], *, room: NodeRoom, nodes: int) -> int:
    """How many of the demand's pods fit without taking the others' places."""
    if not demand.fitting(room):
        return 0
    alone = sum(pack(others, room=room, nodes=nodes).left_over)
    count = min(demand.count, nodes * demand.fitting(room))
    while count:
        together = pack([*others, replace(demand, count=count)], room=room, nodes=nodes)
        too_many = sum(together.left_over) - alone
        if too_many <= 0:
            return count
        count -= min(count, too_many)
    return 0
