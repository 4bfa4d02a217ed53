"""What the fleet costs: idle, and with every pool at its largest."""

from collections.abc import Iterator, Sequence

from daskfleet.catalog.prices import REFERENCE_REGION
from daskfleet.planning.chain_cost import chain_notes
from daskfleet.planning.cost_lines import Cost, CostLine
from daskfleet.planning.cost_shares import shares_of
from daskfleet.planning.monitoring import COST_NOTE, is_collected
from daskfleet.planning.plan import PoolPlacement
from daskfleet.planning.pools import worker_pool_of
from daskfleet.planning.price_notes import price_notes
from daskfleet.planning.reservation_cost import (
    is_paid_unused,
    reservation_lines,
    reservation_notes,
)
from daskfleet.planning.resources import GroupRequest
from daskfleet.planning.tariff import Tariff, total, usd_per_gpu
from daskfleet.planning.teams import teams_with_cluster
from daskfleet.planning.zones import traffic_note
from daskfleet.settings.pools import BOOT_DISK, GpuPool, Pool
from daskfleet.settings.stack import Stack

NODES_THAT_NAT_COUNTS = 32
"""Beyond these, the gateway costs no more."""

FIRST_LOAD_BALANCERS = 5
"""That many have one price together. Counted as if the project had no others."""

DISK_OF_CLASS = {"standard-rwo": BOOT_DISK, "premium-rwo": "pd-ssd"}
"""Types of disks of GKE's storage classes; of a class of somebody's own it is not known."""

NODES_PER_NAT_ADDRESS = 1008
"""An address has 64,512 ports, of which Cloud NAT keeps 64 for each node unless it is told more."""


def estimate(
    stack: Stack,
    *,
    placement: Sequence[PoolPlacement] = (),
    requests: Sequence[GroupRequest] = (),
) -> Cost:
    """The cost of a stack's pools and services.

    Args:
        stack: the settings.
        placement: which team uses what of the pools; left out, nobody does.
        requests: of those teams' groups.
    """
    tariff = Tariff(stack)
    pools = (stack.system_pool, stack.scheduler_pool, *stack.worker_pools)
    lines = (
        *_services(pools, tariff),
        *_load_balancers(stack, tariff),
        *_nodes(pools, stack, tariff),
        *reservation_lines(stack, tariff),
        *_homes(stack, tariff),
    )
    chains = chain_notes(requests, stack=stack, tariff=tariff)
    notes = (*chains, *_notes(stack, tariff))
    return Cost(
        lines=lines,
        priced_on=tariff.oldest,
        notes=notes,
        prices=tuple(sorted(tariff.used, key=lambda price: price.item)),
        unpriced=tuple(sorted(tariff.unknown)),
        shares=shares_of(lines, stack, placement=placement, requests=requests),
    )


def _services(pools: Sequence[Pool], tariff: Tariff) -> Iterator[CostLine]:
    """The management fee, and NAT without its traffic."""
    idle, full = sum(pool.min_nodes for pool in pools), sum(pool.max_nodes for pool in pools)
    yield CostLine(
        item="gke-cluster", usd_per_hour_each=tariff.usd_per_hour("gke-cluster"), idle=1, full=1
    )
    yield CostLine(
        item="cloud-nat",
        usd_per_hour_each=tariff.usd_per_hour("cloud-nat-node"),
        idle=min(idle, NODES_THAT_NAT_COUNTS),
        full=min(full, NODES_THAT_NAT_COUNTS),
    )
    yield CostLine(
        item="nat-address",
        usd_per_hour_each=tariff.usd_per_hour("nat-address"),
        idle=_addresses(idle),
        full=_addresses(full),
    )


def _load_balancers(stack: Stack, tariff: Tariff) -> Iterator[CostLine]:
    """The teams' addresses in the VPC, without their traffic."""
    count = sum(
        team.access.internal_load_balancer is not None for _, team in teams_with_cluster(stack)
    )
    for item, number in (
        ("first-load-balancers", min(count, 1)),
        ("further-load-balancer", max(0, count - FIRST_LOAD_BALANCERS)),
    ):
        if number:
            yield CostLine(
                item=item, usd_per_hour_each=tariff.usd_per_hour(item), idle=number, full=number
            )


def _homes(stack: Stack, tariff: Tariff) -> Iterator[CostLine]:
    """The disks of the teams' JupyterLabs, also of teams that are retired."""
    for team in stack.teams:
        disk = team.jupyter and DISK_OF_CLASS.get(team.jupyter.storage_class)
        if team.jupyter and disk:
            usd = tariff.usd_per_hour(disk)
            yield CostLine(
                item=f"{team.name}: home of its JupyterLab" + ("s" * (team.jupyter.labs > 1)),
                usd_per_hour_each=None if usd is None else team.jupyter.storage_gib * usd,
                idle=team.jupyter.labs,
                full=team.jupyter.labs,
                team="" if team.retire else team.name,
            )


def _addresses(nodes: int) -> int:
    return -(-nodes // NODES_PER_NAT_ADDRESS)


def _nodes(pools: Sequence[Pool], stack: Stack, tariff: Tariff) -> Iterator[CostLine]:
    for pool in pools:
        shared = pool.name if isinstance(pool, GpuPool) else ""
        yield CostLine(
            item=pool.name,
            usd_per_hour_each=tariff.node(pool),
            idle=pool.min_nodes,
            full=pool.max_nodes,
            pool=shared,
        )
        is_spot = isinstance(pool, GpuPool) and pool.spot
        if stack.committed_use is None or is_spot or not pool.min_nodes:
            continue
        if is_paid_unused(pool, stack):  # its reservation's line has all of them
            continue
        if saved := tariff.committed(pool, stack.committed_use):
            yield CostLine(
                item=f"{pool.name}: committed use",
                usd_per_hour_each=-saved,
                idle=pool.min_nodes,
                full=pool.min_nodes,
                pool=shared,
            )


def _but_homes(stack: Stack) -> str:
    classes = {team.jupyter.storage_class for team in stack.teams if team.jupyter}
    if not classes:
        return ""
    unpriced = ", ".join(sorted(classes - DISK_OF_CLASS.keys()))
    return " but the homes of JupyterLabs" + (f" (those of {unpriced} neither)" if unpriced else "")


def _notes(stack: Stack, tariff: Tariff) -> Iterator[str]:
    if tariff.unknown:
        yield (
            f"No price is known for {', '.join(sorted(tariff.unknown))}: what has it is unknown, "
            "and sums with it are at least. daskfleet:prices takes a price that you know."
        )
    yield from _discounts(stack, tariff)
    yield from reservation_notes(stack)
    yield (
        "Not included: network traffic, logs and metrics beyond the free amount, persistent "
        f"volumes{_but_homes(stack)}. One zonal cluster per billing account has its management fee "
        "refunded."
    )
    if between_zones := traffic_note(stack):
        yield between_zones
    if is_collected(stack):
        yield COST_NOTE
    fallbacks = [
        usd_per_gpu(pool, tariff)
        for _, team in teams_with_cluster(stack)
        if team.scheduler.fallback == "worker-pool"
        and (pool := worker_pool_of(team, stack))
        and pool.has_gpus
    ]
    if fallbacks:
        usd = total(fallbacks)
        cost = "at a price that is not known" if usd is None else f"{usd:.2f} USD per hour"
        yield f"Schedulers that fall back onto a worker's GPU keep it: {cost} if all do."
    yield from price_notes(stack, tariff)


def _discounts(stack: Stack, tariff: Tariff) -> Iterator[str]:
    use = stack.committed_use
    if use is None:
        yield "List prices: no sustained-use, committed-use or negotiated discounts."
        return
    years = "1 year" if use.years == 1 else f"{use.years} years"
    yield (
        f"List prices, less committed use of {use.percent:g} % for {years} on nodes on demand that "
        f"are always there, at {REFERENCE_REGION}'s discounts; no sustained-use or negotiated "
        "discounts. What is committed and not used is paid all the same, and not counted here."
    )
    if tariff.uncommitted:
        yield (
            "No committed-use discount is known for "
            f"{', '.join(sorted(tariff.uncommitted))}: counted without."
        )
