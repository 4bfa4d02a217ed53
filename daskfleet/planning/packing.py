"""Equal nodes, groups of equal pods: what fits?"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from daskfleet.planning.node_room import NodeRoom
from daskfleet.planning.plan import PodGroup


@dataclass(frozen=True, kw_only=True)
class Demand:
    """Equal pods of one team, with the GPU slots that each needs."""

    team: str
    component: str
    count: int
    cpu_m: int
    memory_mib: int
    slots: int = 1
    """What each takes of the slots of a node: its GPUs, and without GPUs an address."""

    def fitting(self, room: NodeRoom) -> int:
        """How many of these pods fit on a node with this room."""
        return min(
            room.slots // self.slots,
            room.pods,
            room.cpu_m // self.cpu_m if self.cpu_m else room.slots,
            room.memory_mib // self.memory_mib if self.memory_mib else room.slots,
        )

    def none_of_it(self) -> "Demand":
        """The same pods, none of them."""
        return replace(self, count=0)

    def is_within_a_share(self, room: NodeRoom) -> bool:
        """Whether only the number of slots limits these pods, whoever their neighbours are."""
        return (
            self.cpu_m * room.slots <= room.cpu_m * self.slots
            and self.memory_mib * room.slots <= room.memory_mib * self.slots
        )


@dataclass(frozen=True, kw_only=True)
class Packing:
    """Pods on nodes."""

    nodes: tuple[tuple[PodGroup, ...], ...]
    """The pods of each node in use."""

    left_over: tuple[int, ...]
    """How many pods of each demand found no place, in the order of the demands."""


def pack(demands: Sequence[Demand], *, room: NodeRoom, nodes: int) -> Packing:
    """Place pods on the first node that has room, the largest pods first.

    Exact for demands of equal size, as a team's workers are. For unequal ones it may fail where a
    cleverer order succeeds; Kubernetes' scheduler, which sees one pod at a time, is no cleverer.
    """
    free = [room] * nodes
    placed: list[list[PodGroup]] = [[] for _ in range(nodes)]
    left_over = [demand.count for demand in demands]
    first_open = 0
    for index in sorted(range(len(demands)), key=lambda i: _order(demands[i], room), reverse=True):
        demand = demands[index]
        while first_open < nodes and not free[first_open].slots:
            first_open += 1
        for node in range(first_open, nodes):
            count = min(left_over[index], demand.fitting(free[node]))
            if count:
                free[node] = _less(free[node], demand, count)
                placed[node].append(
                    PodGroup(
                        team=demand.team,
                        component=demand.component,
                        count=count,
                        slots=demand.slots,
                    )
                )
                left_over[index] -= count
            if not left_over[index]:
                break
    used = tuple(tuple(groups) for groups in placed if groups)
    return Packing(nodes=used, left_over=tuple(left_over))


def _order(demand: Demand, room: NodeRoom) -> tuple[int, float]:
    """Those with most GPUs first: what others leave of a node may be too few for them."""
    size = max(demand.cpu_m / max(1, room.cpu_m), demand.memory_mib / max(1, room.memory_mib))
    return demand.slots, size


def _less(room: NodeRoom, demand: Demand, count: int) -> NodeRoom:
    return NodeRoom(
        cpu_m=room.cpu_m - count * demand.cpu_m,
        memory_mib=room.memory_mib - count * demand.memory_mib,
        slots=room.slots - count * demand.slots,
        pods=room.pods - count,
    )
