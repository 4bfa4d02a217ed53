"""Unit tests, property-based: ranges that pass are apart and large enough."""

from ipaddress import IPv4Network
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from daskfleet.planning.addresses import address_problems, pod_addresses_per_node
from daskfleet.settings.cluster import Network
from daskfleet.settings.stack import Stack
from tests.daskfleet.planning.documents import minimal, planned, refused


@st.composite
def networks(draw: st.DrawFn) -> IPv4Network:
    prefix = draw(st.integers(9, 29))
    blocks = 2 ** (prefix - 8)
    first = int(IPv4Network("10.0.0.0/8")[0]) + draw(st.integers(0, blocks - 1)) * 2 ** (
        32 - prefix
    )
    return IPv4Network((first, prefix))


@given(max_pods=st.integers(8, 256))
def test_a_node_gets_the_smallest_power_of_two_of_at_least_twice_its_pods(max_pods: int) -> None:
    addresses = pod_addresses_per_node(max_pods)
    assert addresses & (addresses - 1) == 0
    assert addresses >= 2 * max_pods > addresses // 2


def test_gke_s_documented_shares() -> None:
    # cloud.google.com/kubernetes-engine/docs/how-to/flexible-pod-cidr
    documented = {8: 16, 16: 32, 32: 64, 64: 128, 110: 256, 256: 512}
    assert {pods: pod_addresses_per_node(pods) for pods in documented} == documented


@given(nodes=networks(), pods=networks(), services=networks(), pool_nodes=st.integers(1, 1000))
def test_ranges_that_pass_share_no_address_and_hold_every_node(
    nodes: IPv4Network, pods: IPv4Network, services: IPv4Network, pool_nodes: int
) -> None:
    document = minimal(
        network={
            "nodes_cidr": str(nodes),
            "pods_cidr": str(pods),
            "services_cidr": str(services),
        },
        worker_pools=[{"node_count": pool_nodes}],
    )
    ranges = (nodes, pods, services)
    bounds = sorted((int(each[0]), int(each[-1])) for each in ranges)
    is_apart = all(first[1] < second[0] for first, second in pairwise(bounds))
    # One system node, one for schedulers, and the one that GKE creates with a cluster.
    all_nodes = pool_nodes + 3
    is_large_enough = (
        nodes.num_addresses - 4 >= all_nodes
        and pods.num_addresses // 64 >= all_nodes
        and services.num_addresses >= 18
    )
    problems = address_problems(Stack.model_validate(document))
    assert (not problems) == (is_apart and is_large_enough)


def test_the_default_ranges_pass() -> None:
    assert address_problems(Stack.model_validate(minimal(network=Network().model_dump()))) == []


def test_a_load_balancer_is_one_more_service() -> None:
    access = {"internal_load_balancer": {"source_ranges": ["10.128.0.0/20"]}}
    closed = [{"name": f"team-{number}", "workers": 0} for number in range(8)]
    one_open = [{**closed[0], "access": access}, *closed[1:]]
    fleet: dict[str, Any] = {
        "network": {"services_cidr": "10.8.0.0/27"},
        "scheduler_pool": {"node_count": 8},
    }

    assert planned(minimal(teams=closed, **fleet)).teams
    (problem,) = refused(minimal(teams=one_open, **fleet)).problems
    assert problem.key == "network.services_cidr"
    assert "33 are needed" in problem.reason
    assert "1 for internal load balancers" in problem.reason
