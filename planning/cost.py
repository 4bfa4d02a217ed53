"""What the fleet costs: idle, and with every pool at its largest."""

from collections.abc import Iterator
from datetime import date

from catalog.machines import machines
from catalog.prices import REFERENCE_REGION, Price, prices
from planning.plan import HOURS_PER_MONTH, Cost, CostLine
from planning.pools import worker_pool_of
from planning.teams import teams_with_cluster
from settings.pools import GpuPool, Pool
from settings.stack import Stack
from settings.team import Team

BOOT_DISK = "pd-balanced"
SERVICES = ("gke-cluster", "cloud-nat")
"""The cluster management fee, and the NAT gateway without its traffic."""


class _Tariff:
    """The prices of one region; remembers what it was asked."""

    def __init__(self, region: str) -> None:
        self._region = region
        self.used: set[Price] = set()
        self.unknown: set[str] = set()

    def usd_per_hour(self, item: str, *, is_spot: bool = False) -> float:
        """One hour of an item; 0 when no price is known, which ``unknown`` then says."""
        known = prices()
        price = (
            known.get((item, self._region))
            or known.get((item, None))
            or known.get((item, REFERENCE_REGION))
        )
        if price is None:
            self.unknown.add(item)
            return 0.0
        self.used.add(price)
        usd = price.usd_spot if is_spot and price.usd_spot is not None else price.usd
        return usd / HOURS_PER_MONTH if price.unit == "GiB month" else usd

    @property
    def borrowed(self) -> list[str]:
        """Items whose price is that of another region."""
        return sorted(price.item for price in self.used if price.region not in {self._region, None})

    @property
    def oldest(self) -> date:
        """The date of the oldest dated price; the cluster fee always has one."""
        return min(price.date for price in self.used if price.date)


def estimate(stack: Stack) -> Cost:
    """The cost of a stack's pools and services."""
    tariff = _Tariff(stack.region)
    lines = [
        *(_service_line(item, tariff) for item in SERVICES),
        *(
            _pool_line(pool, tariff)
            for pool in (stack.system_pool, stack.scheduler_pool, *stack.worker_pools)
        ),
    ]
    notes = tuple(_notes(stack, tariff))
    return Cost(lines=tuple(lines), priced_on=tariff.oldest, notes=notes)


def _service_line(item: str, tariff: _Tariff) -> CostLine:
    return CostLine(item=item, usd_per_hour_each=tariff.usd_per_hour(item), idle=1, full=1)


def _pool_line(pool: Pool, tariff: _Tariff) -> CostLine:
    machine = (
        _machine(pool, tariff)
        if isinstance(pool, GpuPool)
        else tariff.usd_per_hour(pool.machine_type)
    )
    return CostLine(
        item=pool.name,
        usd_per_hour_each=machine + pool.disk_size_gb * tariff.usd_per_hour(BOOT_DISK),
        idle=pool.min_nodes,
        full=pool.max_nodes,
    )


def _machine(pool: GpuPool, tariff: _Tariff) -> float:
    """A machine with its GPUs, built in or attached, for one hour."""
    usd = tariff.usd_per_hour(pool.machine_type, is_spot=pool.spot)
    if machines()[pool.machine_type].accelerator is None:
        usd += pool.gpus_per_node * tariff.usd_per_hour(pool.accelerator, is_spot=pool.spot)
    return usd


def _worker_gpu(team: Team, stack: Stack, tariff: _Tariff) -> float:
    """One GPU of the team's worker pool for one hour: what a scheduler there keeps busy."""
    pool = worker_pool_of(team, stack)
    return _machine(pool, tariff) / pool.gpus_per_node if pool else 0.0


def _notes(stack: Stack, tariff: _Tariff) -> Iterator[str]:
    yield "List prices: no sustained-use, committed-use or negotiated discounts."
    yield (
        "Not included: network traffic, logs and metrics beyond the free amount, persistent "
        "volumes. One zonal cluster per billing account has its management fee refunded."
    )
    fallback_usd_per_hour = sum(
        _worker_gpu(team, stack, tariff)
        for _, team in teams_with_cluster(stack)
        if team.scheduler.fallback == "worker-pool"
    )
    if fallback_usd_per_hour:
        yield (
            "Schedulers that fall back onto a worker's GPU keep it: "
            f"{fallback_usd_per_hour:.2f} USD per hour if all do."
        )
    if tariff.borrowed:
        yield (
            f"No price for {stack.region} is known for {', '.join(tariff.borrowed)}: "
            f"{REFERENCE_REGION}'s was taken."
        )
    if tariff.unknown:
        yield f"No price is known for {', '.join(sorted(tariff.unknown))}: counted as 0."
    if any(pool.spot for pool in (stack.scheduler_pool, *stack.worker_pools)):
        yield "Spot prices change within weeks."
