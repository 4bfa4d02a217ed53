"""Unit tests, property-based: what the packing says fits really fits, by other means too."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from daskfleet.planning.node_room import NodeRoom
from daskfleet.planning.packing import Demand, Packing, pack

ROOMS = st.builds(
    NodeRoom,
    cpu_m=st.integers(0, 8000),
    memory_mib=st.integers(0, 32_000),
    slots=st.integers(0, 8),
    pods=st.integers(0, 12),
)


@st.composite
def demand_lists(draw: st.DrawFn, *, most_pods: int = 12) -> list[Demand]:
    sizes = draw(st.lists(st.tuples(st.integers(0, 6000), st.integers(0, 20_000)), max_size=4))
    return [
        Demand(
            team=f"team-{index}",
            component="worker",
            count=draw(st.integers(0, most_pods)),
            cpu_m=cpu_m,
            memory_mib=memory_mib,
        )
        for index, (cpu_m, memory_mib) in enumerate(sizes)
    ]


def placed_pods(packing: Packing) -> Counter[str]:
    pods: Counter[str] = Counter()
    for node in packing.nodes:
        for group in node:
            pods[group.team] += group.count
    return pods


def fits_by_trying(pods: list[Demand], nodes: list[NodeRoom]) -> bool:
    """Whether single pods can be placed one by one, trying every node for each."""
    if not pods:
        return True
    pod, *rest = pods
    for index, room in enumerate(nodes):
        if index and room == nodes[index - 1]:
            continue  # an equal node was just tried
        left = NodeRoom(
            cpu_m=room.cpu_m - pod.cpu_m,
            memory_mib=room.memory_mib - pod.memory_mib,
            slots=room.slots - 1,
            pods=room.pods - 1,
        )
        is_possible = min(left.cpu_m, left.memory_mib, left.slots, left.pods) >= 0
        if is_possible and fits_by_trying(rest, [*nodes[:index], left, *nodes[index + 1 :]]):
            return True
    return False


@given(demands=demand_lists(), room=ROOMS, nodes=st.integers(0, 6))
def test_no_node_ever_holds_more_than_it_has(
    demands: list[Demand], room: NodeRoom, nodes: int
) -> None:
    size = {demand.team: demand for demand in demands}
    packing = pack(demands, room=room, nodes=nodes)
    assert len(packing.nodes) <= nodes
    for node in packing.nodes:
        count = sum(group.count for group in node)
        assert count <= min(room.slots, room.pods)
        assert sum(size[group.team].cpu_m * group.count for group in node) <= room.cpu_m
        assert sum(size[group.team].memory_mib * group.count for group in node) <= room.memory_mib


@given(demands=demand_lists(), room=ROOMS, nodes=st.integers(0, 6))
def test_every_pod_is_placed_once_or_left_over(
    demands: list[Demand], room: NodeRoom, nodes: int
) -> None:
    packing = pack(demands, room=room, nodes=nodes)
    placed = placed_pods(packing)
    for demand, left in zip(demands, packing.left_over, strict=True):
        assert 0 <= left <= demand.count
        assert placed[demand.team] + left == demand.count


@given(demands=demand_lists(), room=ROOMS, nodes=st.integers(0, 6))
def test_another_node_never_makes_a_pod_homeless(
    demands: list[Demand], room: NodeRoom, nodes: int
) -> None:
    fewer = pack(demands, room=room, nodes=nodes)
    more = pack(demands, room=room, nodes=nodes + 1)
    assert sum(more.left_over) <= sum(fewer.left_over)
    assert fewer.nodes == more.nodes[: len(fewer.nodes)]


@given(demands=demand_lists(most_pods=2), room=ROOMS, nodes=st.integers(0, 3))
def test_what_is_said_to_fit_can_be_packed_by_trying(
    demands: list[Demand], room: NodeRoom, nodes: int
) -> None:
    packing = pack(demands, room=room, nodes=nodes)
    pods = [
        demand
        for demand, left in zip(demands, packing.left_over, strict=True)
        for _ in range(demand.count - left)
    ]
    assert fits_by_trying(pods, [room] * nodes)


@given(demands=demand_lists(most_pods=7), room=ROOMS, nodes=st.integers(0, 3))
def test_equal_pods_are_refused_only_when_they_really_do_not_fit(
    demands: list[Demand], room: NodeRoom, nodes: int
) -> None:
    for demand in demands:
        packing = pack([demand], room=room, nodes=nodes)
        assert sum(packing.left_over) == max(0, demand.count - nodes * demand.fitting(room))
        if packing.left_over[0]:
            assert not fits_by_trying([demand] * demand.count, [room] * nodes)


@given(demands=demand_lists(), room=ROOMS, nodes=st.integers(0, 6))
def test_pods_within_their_share_fit_in_any_order_up_to_the_last_slot(
    demands: list[Demand], room: NodeRoom, nodes: int
) -> None:
    even = [demand for demand in demands if demand.is_within_a_share(room)]
    capacity = nodes * min(room.slots, room.pods)
    wanted = sum(demand.count for demand in even)
    for order in (even, even[::-1]):
        assert sum(pack(order, room=room, nodes=nodes).left_over) == max(0, wanted - capacity)
