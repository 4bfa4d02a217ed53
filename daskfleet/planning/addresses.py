"""Address ranges: apart from each other, and large enough for the pools at their largest."""

from collections.abc import Iterator
from ipaddress import IPv4Network
from itertools import combinations

from daskfleet.planning.rollouts import clusters_at_once
from daskfleet.planning.teams import teams_with_cluster
from daskfleet.settings.cluster import Network
from daskfleet.settings.problems import Problem, shown
from daskfleet.settings.stack import Stack

SUBNET_RESERVED = 4
"""Addresses that Google keeps in each primary range (cloud.google.com/vpc/docs/subnets)."""

DEFAULT_POOL_NODES = 1
"""GKE creates a cluster with one node, which is removed once the cluster exists."""

SERVICES_PER_TEAM = 2
"""The operator's scheduler Service, twice during a blue-green roll, and the stable one of this
program."""

SYSTEM_SERVICES = 16
"""Room for Services of Kubernetes, GKE and the operator; a fresh GKE cluster has about half."""


def pod_addresses_per_node(max_pods_per_node: int) -> int:
    """How many pod addresses GKE gives each node: at least twice the pods, a power of two.

    Source: cloud.google.com/kubernetes-engine/docs/how-to/flexible-pod-cidr
    """
    return 1 << (2 * max_pods_per_node - 1).bit_length()


def address_problems(stack: Stack) -> list[Problem]:
    """Ranges that overlap or are too small."""
    return [*_overlaps(stack.network), *_too_small(stack), *_sources_inside(stack)]


def _ranges(network: Network) -> dict[str, IPv4Network]:
    return {
        "nodes_cidr": network.nodes_cidr,
        "pods_cidr": network.pods_cidr,
        "services_cidr": network.services_cidr,
    }


def _overlaps(network: Network) -> Iterator[Problem]:
    for (first, first_range), (second, second_range) in combinations(_ranges(network).items(), 2):
        if first_range.overlaps(second_range):
            yield Problem(
                key=f"network.{second}",
                value=shown(str(second_range)),
                reason=f"It overlaps network.{first}, which is {first_range} "
                f"({first_range[0]} to {first_range[-1]}).",
                allowed=f"a range outside {first_range}",
                next_step=f"move {second} or {first}.",
            )


def _too_small(stack: Stack) -> Iterator[Problem]:
    pools = (stack.system_pool, stack.scheduler_pool, *stack.worker_pools)
    nodes = sum(pool.max_nodes for pool in pools) + DEFAULT_POOL_NODES
    per_node = pod_addresses_per_node(stack.network.max_pods_per_node)
    teams = teams_with_cluster(stack)
    rolling = sum(clusters_at_once(team) - 1 for _, team in teams)
    open_teams = sum(team.access.internal_load_balancer is not None for _, team in teams)
    jupyters = sum(team.jupyter.labs for _, team in teams if team.jupyter)
    services = SYSTEM_SERVICES + SERVICES_PER_TEAM * len(teams) + rolling + open_teams + jupyters
    per_team = f"{SERVICES_PER_TEAM} Services for each of {len(teams)} teams"
    per_team += f", {rolling} for the second clusters of blue-green teams" if rolling else ""
    per_team += f", {open_teams} for internal load balancers" if open_teams else ""
    per_team += f", {jupyters} for JupyterLabs" if jupyters else ""
    share = f"GKE's share for {stack.network.max_pods_per_node} pods per node"
    needs = {
        "nodes_cidr": (
            nodes + SUBNET_RESERVED,
            f"{nodes} nodes with all pools at their largest, and {SUBNET_RESERVED} for Google",
        ),
        "pods_cidr": (nodes * per_node, f"{nodes} nodes x {per_node} addresses, {share}"),
        "services_cidr": (services, f"{per_team} and {SYSTEM_SERVICES} for the system"),
    }
    for key, given in _ranges(stack.network).items():
        needed, why = needs[key]
        if given.num_addresses < needed:
            prefix = 32 - (needed - 1).bit_length()
            yield Problem(
                key=f"network.{key}",
                value=shown(str(given)),
                reason=f"It has {given.num_addresses} addresses, but {needed} are needed: {why}.",
                allowed=f"a range of /{prefix} or larger",
                next_step=_wider(key, prefix, network=stack.network),
            )


def _wider(key: str, prefix: int, *, network: Network) -> str:
    if network.existing is not None:
        return (
            f"name a subnetwork whose range has /{prefix} or more and write it here, or lower the "
            "pools' max_nodes."
        )
    return (
        f"widen {key} to /{prefix}; on an existing cluster that replaces the cluster, so lower the "
        "pools' max_nodes instead."
    )


def _sources_inside(stack: Stack) -> Iterator[Problem]:
    """Sources of a load balancer that are the cluster's own: pods of other teams would come in."""
    closed = {key: cidr for key, cidr in _ranges(stack.network).items() if key != "nodes_cidr"}
    for index, team in teams_with_cluster(stack):
        balancer = team.access.internal_load_balancer
        for position, source in enumerate(balancer.source_ranges if balancer else ()):
            for key, cidr in closed.items():
                if source.overlaps(cidr):
                    yield Problem(
                        key=f"teams[{index}].access.internal_load_balancer"
                        f".source_ranges[{position}]",
                        value=shown(str(source)),
                        reason=f"It overlaps network.{key}, which is {cidr}: that would let in "
                        "pods of other teams.",
                        allowed=f"ranges outside {cidr}",
                        next_step="name the clients' own network; pods of the team use "
                        "the Service dask.",
                    )
