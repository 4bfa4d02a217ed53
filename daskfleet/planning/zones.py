"""Pools in zones of their own: do the zones have what the pools need, and what if one is lost?"""

from collections.abc import Iterator, Sequence

from daskfleet.catalog.accelerators import accelerators, gpus_in, zones
from daskfleet.planning.notebooks import notebooks_of
from daskfleet.planning.pool_zones import SEVERAL, is_in_several, zones_of
from daskfleet.planning.pools import dask_pools, worker_chain_of, worker_pools_of
from daskfleet.planning.teams import teams_with_cluster
from daskfleet.settings.pools import GpuPool, Pool, WorkerPool
from daskfleet.settings.problems import Problem
from daskfleet.settings.stack import Stack

USD_PER_GB_BETWEEN_ZONES = 0.01
"""What a VM sends to another zone of its region, by whatever address; within a zone it is free
(cloud.google.com/vpc/pricing, "VM-VM data transfer pricing within Google Cloud")."""


def zone_problems(stack: Stack) -> Iterator[Problem]:
    """Zones of another region, and zones that lack a pool's GPUs."""
    for key, pool in (("system_pool", stack.system_pool), *dask_pools(stack)):
        outside = [zone for zone in pool.zones or () if not _is_in(zone, stack.region)]
        if outside:
            yield Problem(
                key=f"{key}.zones",
                value=", ".join(outside),
                reason=f"The cluster and its network are in {stack.region}, and GKE takes nodes of "
                "one region into a cluster.",
                allowed=_allowed(pool, stack.region),
                next_step="choose among those, or move the stack.",
            )
        yield from _without_gpus(key, pool, stack)


def _without_gpus(key: str, pool: Pool, stack: Stack) -> Iterator[Problem]:
    if not isinstance(pool, GpuPool) or pool.accelerator not in accelerators():
        return
    lacking = [
        zone
        for zone in pool.zones or ()
        if _is_in(zone, stack.region) and pool.accelerator not in gpus_in(zone)
    ]
    if lacking:
        yield Problem(
            key=f"{key}.zones",
            value=", ".join(lacking),
            reason=f"Google has no {pool.accelerator} there, and each zone of a pool has to have "
            "its GPUs.",
            allowed=_allowed(pool, stack.region),
            next_step="remove what has none, or choose another accelerator.",
        )


def zone_warnings(stack: Stack) -> Iterator[str]:
    """What goes with a zone although worker pools are in others, too; and disks in one zone."""
    spread = [pool.name for pool in stack.worker_pools if is_in_several(pool)]
    if spread:
        yield from _in_one_zone(stack, f"Worker pools in several zones ({', '.join(spread)})")
    yield from _drawn_to_nothing(stack)
    with_homes = {each.pool or stack.system_pool for each in notebooks_of(stack)}
    for name in sorted(pool.name for pool in with_homes if is_in_several(pool)):
        yield (
            f"Pool {name}: the home of a JupyterLab is a disk of the zone in which it first "
            "started. It starts there and nowhere else, so it waits where only other zones have "
            "room."
        )


def _drawn_to_nothing(stack: Stack) -> Iterator[str]:
    for _, team in teams_with_cluster(stack):
        if not team.prefer_one_zone:
            continue
        chains = [worker_chain_of(team, stack, group=group) for group in (None, *team.groups)]
        if not any(_has_a_choice(chain, stack) for chain in chains):
            names = [pool.name for pool in worker_pools_of(team, stack)]
            yield (
                f"Team {team.name}: prefer_one_zone chooses among the zones of a group's worker "
                f"pools, and {', '.join(names)} {'is' if len(names) == 1 else 'are each'} in one "
                "zone for it."
            )


def _has_a_choice(chain: Sequence[WorkerPool], stack: Stack) -> bool:
    """Whether a group's workers may come up in several zones, of one pool or of a chain's."""
    return len({zone for pool in chain for zone in zones_of(pool, stack)}) >= SEVERAL


def traffic_note(stack: Stack) -> str:
    """What the cost estimate says of traffic between zones; nothing where there is none."""
    if len({zone for _, pool in dask_pools(stack) for zone in zones_of(pool, stack)}) < SEVERAL:
        return ""
    return (
        "Dask pools are in several zones: each GB from one zone to another costs "
        f"{USD_PER_GB_BETWEEN_ZONES:.2f} USD (cloud.google.com/vpc/pricing), and is not counted. "
        "Workers spread evenly over two zones send half of what they exchange across."
    )


def _in_one_zone(stack: Stack, said: str) -> Iterator[str]:
    if stack.location != stack.region:
        yield (
            f"{said}: the control plane is in {stack.location} alone. While that zone is lost, "
            "nodes elsewhere go on, and nothing takes the place of what was lost. "
            f"location: {stack.region} has a control plane in several zones; it is another cluster."
        )
    for pool, what in (
        (stack.system_pool, "the Dask operator"),
        (stack.scheduler_pool, "the schedulers"),
    ):
        if not is_in_several(pool):
            (zone,) = zones_of(pool, stack)
            yield f"{said}: pool {pool.name} is in {zone} alone, and {what} with it."


def _allowed(pool: Pool, region: str) -> str:
    needed = pool.accelerator if isinstance(pool, GpuPool) and pool.has_gpus else None
    there = [
        zone.name
        for zone in zones().values()
        if _is_in(zone.name, region) and (needed is None or needed in gpus_in(zone.name))
    ]
    with_gpus = f" with {needed}" if needed else ""
    return f"zones of {region}{with_gpus}: {', '.join(there) or 'none known'}"


def _is_in(zone: str, region: str) -> bool:
    return zone.rpartition("-")[0] == region
