"""The zones of each pool, and its size in the words of a provider that counts per zone.

A stack file counts the nodes of a pool as a whole. GKE's ``nodeCount``, ``initialNodeCount`` and
``minNodeCount``/``maxNodeCount`` are of each zone; ``totalMinNodeCount``/``totalMaxNodeCount`` are
of the pool (container.v1, ``NodePoolAutoscaling``).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from daskfleet.settings.autoscaling import Autoscaling
from daskfleet.settings.pools import Pool
from daskfleet.settings.stack import Stack
from daskfleet.settings.zones import LocationPolicy

SEVERAL = 2
"""Zones from which on there is something to choose."""


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """What GKE's autoscaler keeps to: of each zone, or in total."""

    min_node_count: int | None = None
    max_node_count: int | None = None
    total_min_node_count: int | None = None
    total_max_node_count: int | None = None
    location_policy: LocationPolicy | None = None


@dataclass(frozen=True, kw_only=True)
class SizeInZones:
    """A pool's size as GKE takes it; the counts are of each zone."""

    node_count: int | None
    """None for an autoscaled pool."""

    initial_node_count: int | None
    """What an autoscaled pool begins with."""

    bounds: Bounds | None
    """None for a pool of fixed size."""


def is_in_several(pool: Pool) -> bool:
    """Whether a pool's nodes are in several zones."""
    return len(pool.zones or ()) >= SEVERAL


def zones_of(pool: Pool, stack: Stack) -> tuple[str, ...]:
    """The zones of a pool's nodes."""
    return pool.zones or (stack.zone,)


def zones_of_all(stack: Stack) -> tuple[str, ...]:
    """The zones of all pools, each once, in the stack file's order."""
    pools = (stack.system_pool, stack.scheduler_pool, *stack.worker_pools)
    return tuple(dict.fromkeys(zone for pool in pools for zone in zones_of(pool, stack)))


def size_in_zones(
    node_count: int | None, autoscaling: Autoscaling | None, *, zones: Sequence[str], spot: bool
) -> SizeInZones:
    """A size of a pool as a whole, for GKE.

    One zone has its bounds per zone, as it always had. Several have a total: per zone, each would
    have to be allowed the whole pool for the others to be lost, and all of them together could
    then outgrow what was declared, paid for and asked of the quota.
    """
    if autoscaling is None:
        count = None if node_count is None else node_count // len(zones)
        return SizeInZones(node_count=count, initial_node_count=None, bounds=None)
    least, most = autoscaling.min_nodes, autoscaling.max_nodes
    if len(zones) < SEVERAL:
        bounds = Bounds(min_node_count=least, max_node_count=most)
        return SizeInZones(node_count=None, initial_node_count=least, bounds=bounds)
    return SizeInZones(
        node_count=None,
        # Rounded up to whole zones, but never beyond the most: what is idle of it goes again.
        initial_node_count=min(-(-least // len(zones)), most // len(zones)),
        bounds=Bounds(
            total_min_node_count=least,
            total_max_node_count=most,
            location_policy=autoscaling.location_policy or ("ANY" if spot else "BALANCED"),
        ),
    )
