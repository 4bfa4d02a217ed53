"""Unit: every pod is drawn once, in a place that its node has."""

from itertools import chain

from hypothesis import given
from hypothesis import strategies as st

from daskfleet.platform.report.drawn_fleet import Fleet, Pod
from daskfleet.platform.report.fleet import fleet_of
from daskfleet.platform.report.teams import team_marks
from rehearsal.report.model import Report
from tests.daskfleet.platform.report.documents import broken, fleet_report, node, pod, pool, sample


def drawn(report: Report) -> Fleet:
    return fleet_of(report, team_marks(pod.team for pod in report.pods))


def drawn_pods(fleet: Fleet) -> list[Pod]:
    nodes = [each for row in fleet.pools for each in row.nodes]
    slots = chain.from_iterable(gpu.slots for each in nodes for gpu in each.gpus)
    in_slots = [slot.pod for slot in slots if slot.pod and not slot.is_continued]
    return [*in_slots, *chain.from_iterable(each.beside for each in nodes), *fleet.unplaced]


def test_a_real_run_is_drawn_whole() -> None:
    report = sample()
    fleet = drawn(report)
    assert sorted(each.name for each in drawn_pods(fleet)) == sorted(
        row.name for row in report.pods
    )
    assert [each.name for each in fleet.pools] == [row.name for row in report.pools]
    assert (fleet.used_shares, fleet.all_shares) == (5, 7)


@given(
    st.lists(
        st.tuples(st.sampled_from(["n-1", "n-2", "gone", ""]), st.integers(0, 3)), max_size=12
    ),
    st.integers(0, 4),
    st.integers(1, 3),
)
def test_whatever_is_asked_for_each_pod_is_drawn_once(
    wishes: list[tuple[str, int]], gpus: int, sharing: int
) -> None:
    pods = [pod(f"p-{i}", on, gpu_shares=shares) for i, (on, shares) in enumerate(wishes)]
    nodes = tuple(node(name, gpus=gpus, gpu_shares=gpus * sharing) for name in ("n-1", "n-2"))
    fleet = drawn(fleet_report(*pods, nodes=nodes))
    assert sorted(each.name for each in drawn_pods(fleet)) == sorted(each.name for each in pods)
    assert fleet.all_shares == 2 * gpus * sharing


def test_a_shared_gpu_has_a_place_for_each_share() -> None:
    shared = node("n-1", gpus=1, gpu_shares=2)
    fleet = drawn(fleet_report(pod("p", "n-1"), nodes=(shared,)))
    (gpu,) = fleet.pools[0].nodes[0].gpus
    assert gpu.label == "A100"
    assert [slot.pod and slot.pod.name for slot in gpu.slots] == ["p", None]


def test_a_pod_with_two_gpus_has_two_places() -> None:
    fleet = drawn(fleet_report(pod("p", "n-1", gpu_shares=2), nodes=(node("n-1"),)))
    gpus = fleet.pools[0].nodes[0].gpus
    assert [gpu.slots[0].is_continued for gpu in gpus] == [False, True]
    assert {gpu.slots[0].pod.name for gpu in gpus if gpu.slots[0].pod} == {"p"}


def test_a_gpu_without_a_driver_has_no_places() -> None:
    fleet = drawn(fleet_report(nodes=(node("n-1", gpu_shares=0),)))
    (only,) = fleet.pools[0].nodes
    assert [gpu.slots for gpu in only.gpus] == [(), ()]


def test_a_pool_without_nodes_is_there_and_tells_its_limits() -> None:
    empty = pool("l4", min_nodes=0, max_nodes=6)
    (only,) = drawn(fleet_report(nodes=(), pools=(empty,))).pools
    assert (only.size, only.nodes) == ("0 nodes, autoscaled: 0 to 6", ())


def test_a_pool_tells_how_much_room_its_ready_nodes_have() -> None:
    nodes = (
        node("n-1"),
        node("n-2", is_ready=False),
        node("n-3", pool="cpu", gpus=0, gpu_shares=0),
    )
    with_gpus, without = drawn(fleet_report(pod("p", "n-1"), nodes=nodes)).pools
    assert with_gpus.room == "1 of 2 places on GPUs free"
    assert without.room == ""


def test_a_node_that_is_missing_is_counted() -> None:
    fleet = drawn(
        fleet_report(nodes=(node("n-1"),), pools=(pool("a100", max_nodes=2, min_nodes=2),))
    )
    assert fleet.pools[0].size == "1 of 2 nodes"


def test_nodes_that_end_alike_are_called_by_their_whole_names() -> None:
    fleet = drawn(fleet_report(nodes=(node("a-1"), node("b-1"))))
    assert [each.short_name for each in fleet.pools[0].nodes] == ["a-1", "b-1"]


def test_what_is_not_ready_is_told_with_its_reason() -> None:
    (pending,) = drawn(broken()).unplaced
    assert (pending.state, "Insufficient" in pending.reason) == ("Not ready: Pending", True)
