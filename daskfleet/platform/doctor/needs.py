"""Pure: what a stack needs of its project's quota, by metric.

Three figures for each metric. ``up``: what the next ``pulumi up`` needs to come to its end, that
is all fixed pools and as many nodes of the others as the declared teams fill. ``most``: all pools
at their largest, and each pool with ``replacement: surge`` twice. ``reasons``: whose it is.

GKE makes a default pool with a cluster and the program has it removed before it makes another, so
its node is never there together with those of the fleet: it counts where it alone is more.
"""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from daskfleet.catalog.machines import machines
from daskfleet.planning.plan import FleetPlan
from daskfleet.planning.pools import dask_pools
from daskfleet.planning.quota import Amount, NodeShape, amounts, shape_of
from daskfleet.settings.cluster import Network
from daskfleet.settings.pools import GpuPool, Pool

Scope = Literal["region", "project"]

INSTANCES, ALL_CPUS = "INSTANCES", "CPUS_ALL_REGIONS"
ADDRESSES = ("IN_USE_ADDRESSES", "STATIC_ADDRESSES")
"""Both limit the addresses that Cloud NAT takes by itself (cloud.google.com/nat/quota)."""

OWN_NETWORK = ("NETWORKS", "SUBNETWORKS")
"""The program makes one of each (``components/network.py``), unless the network exists."""

OWN_NAT = ("ROUTERS",)
NETWORKING = (*OWN_NETWORK, *OWN_NAT)

NODES_PER_NAT_ADDRESS = 1008
"""64,512 ports of an address, 64 for each node (cloud.google.com/nat/docs/ports-and-addresses)."""

DEFAULT_POOL = {"CPUS": 2, ALL_CPUS: 2, "SSD_TOTAL_GB": 100, INSTANCES: 1}
"""GKE's default pool has one e2-medium with 100 GB of pd-balanced for as long as it exists."""


@dataclass(frozen=True, kw_only=True)
class Need:
    """How much of one metric."""

    metric: str
    scope: Scope
    up: int
    most: int
    reasons: tuple[str, ...]
    """For example ``pool a100: 12``."""


@dataclass(frozen=True, kw_only=True)
class Needs:
    """All that a stack needs."""

    needs: tuple[Need, ...]
    uncounted: tuple[str, ...]
    """In words, what counts against a quota whose metric no source names."""


@dataclass(frozen=True, kw_only=True)
class Nodes:
    """So many nodes that exist already."""

    shape: NodeShape
    count: int


def needs_of(plan: FleetPlan, *, without_spot_quota: Collection[str] = ()) -> Needs:
    """What a stack needs.

    Args:
        plan: a stack that passed every check.
        without_spot_quota: metrics of spot capacity of which the project has none, so that the
            quota on demand counts in their place.
    """
    up, largest = Counter[str](), Counter[str]()
    reasons: dict[str, list[str]] = {}
    uncounted: list[str] = []
    for pool, nodes in _pools(plan):
        now, unknown = _taken(pool.name, shape_of(pool), nodes, without_spot_quota)
        most_nodes = pool.max_nodes * (2 if _is_doubled(pool) else 1)
        later, _ = _taken(pool.name, shape_of(pool), most_nodes, without_spot_quota)
        up, largest = up + now, largest + later
        uncounted += unknown
        for metric, amount in now.items():
            reasons.setdefault(metric, []).append(f"pool {pool.name}: {amount}")
    for metric, amount in _networking(up[INSTANCES], plan.stack.network).items():
        reasons[metric] = [f"network of cluster {plan.stack.cluster.name}: {amount}"]
        up[metric], largest[metric] = amount, amount
    for metric, amount in DEFAULT_POOL.items():
        if amount > up[metric]:
            reasons[metric] = [f"GKE's default pool, for a few minutes: {amount}"]
            up[metric] = amount
    needs = tuple(
        Need(
            metric=metric,
            scope=scope_of(metric),
            up=up[metric],
            most=most,
            reasons=tuple(reasons.get(metric, ())),
        )
        for metric, most in sorted((up | largest).items())
    )
    return Needs(needs=needs, uncounted=tuple(dict.fromkeys(uncounted)))


def used_by(
    nodes: Iterable[Nodes], *, network: Network | None, without_spot_quota: Collection[str] = ()
) -> Mapping[str, int]:
    """What the stack's own cluster takes already, and its network if that is there, by metric."""
    used = Counter[str]()
    for each in nodes:
        taken, _ = _taken("", each.shape, each.count, without_spot_quota)
        used += taken
    return used + (_networking(used[INSTANCES], network) if network else Counter())


def scope_of(metric: str) -> Scope:
    """Whether a metric holds in a region or in all of a project."""
    return "project" if metric.endswith("_ALL_REGIONS") or metric in NETWORKING else "region"


def _pools(plan: FleetPlan) -> Iterator[tuple[Pool, int]]:
    """Each pool and the nodes that the declared teams make of it."""
    filled = {placement.pool: len(placement.nodes) for placement in plan.placement}
    yield plan.stack.system_pool, plan.stack.system_pool.min_nodes
    for _, pool in dask_pools(plan.stack):
        yield pool, max(pool.min_nodes, filled.get(pool.name, 0))


def _is_doubled(pool: Pool) -> bool:
    return isinstance(pool, GpuPool) and pool.replacement == "surge"


def _taken(
    pool: str, shape: NodeShape, nodes: int, without_spot_quota: Collection[str]
) -> tuple[Counter[str], list[str]]:
    taken = Counter({INSTANCES: nodes})
    unknown: list[str] = []
    for each in amounts(shape, nodes=nodes):
        metric = _counted_as(each, without_spot_quota)
        if metric:
            taken[metric] += each.amount
        elif each.amount:
            unknown.append(f"pool {pool}: {each.amount} {each.what}")
    machine = machines().get(shape.machine_type)
    if machine is None:
        unknown.append(f"pool {pool}: {nodes} x the vCPUs of {shape.machine_type}")
    else:
        taken[ALL_CPUS] += nodes * machine.vcpus
    return taken, unknown


def _counted_as(amount: Amount, without_spot_quota: Collection[str]) -> str | None:
    if amount.metric in without_spot_quota:
        return amount.on_demand_metric
    return amount.metric


def _networking(nodes: int, network: Network) -> Counter[str]:
    taken = Counter[str]() if network.existing else Counter(dict.fromkeys(OWN_NETWORK, 1))
    if network.has_own_nat:
        addresses = max(1, math.ceil(nodes / NODES_PER_NAT_ADDRESS))
        taken += Counter(dict.fromkeys(OWN_NAT, 1))
        taken += Counter(dict.fromkeys(ADDRESSES, addresses))
    return taken
