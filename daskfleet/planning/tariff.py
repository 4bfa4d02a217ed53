"""The prices of one region."""

from datetime import date

from daskfleet.catalog.commitments import commitments
from daskfleet.catalog.machines import machines
from daskfleet.catalog.prices import REFERENCE_REGION, Price, prices
from daskfleet.planning.cost_lines import HOURS_PER_MONTH
from daskfleet.settings.committed_use import CommittedUse
from daskfleet.settings.pools import BOOT_DISK, GpuPool, Pool


class Tariff:
    """What things cost in a region; remembers what it was asked."""

    def __init__(self, region: str) -> None:
        self._region = region
        self.used: set[Price] = set()
        self.unknown: set[str] = set()
        self.uncommitted: set[str] = set()

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

    def node(self, pool: Pool) -> float:
        """One node for one hour, with its GPUs and its boot disk."""
        is_spot = isinstance(pool, GpuPool) and pool.spot
        machine = sum(
            count * self.usd_per_hour(item, is_spot=is_spot) for item, count in _rented(pool)
        )
        return machine + pool.disk_size_gb * self.usd_per_hour(BOOT_DISK)

    def committed(self, pool: Pool, use: CommittedUse) -> float:
        """What the commitment takes off one hour of a node that is always there."""
        saved = 0.0
        for item, count in _rented(pool):
            # Commitments are sold for a series of machines, not for one of its types.
            series = item.rpartition("-")[0] if item == pool.machine_type else item
            discount = commitments().get(series)
            percent = discount.percent(use.years) if discount else None
            if percent is None:
                self.uncommitted.add(series)
            else:
                saved += count * self.usd_per_hour(item) * percent / 100
        return saved * use.percent / 100

    @property
    def borrowed(self) -> list[str]:
        """Items whose price is that of another region."""
        return sorted(price.item for price in self.used if price.region not in {self._region, None})

    @property
    def undated(self) -> list[str]:
        """Items whose price has no date."""
        return sorted({price.item for price in self.used if price.date is None})

    @property
    def oldest(self) -> date:
        """The date of the oldest dated price; the cluster fee always has one."""
        return min(price.date for price in self.used if price.date)


def _rented(pool: Pool) -> tuple[tuple[str, int], ...]:
    """What a node consists of, its disk apart: the machine, and GPUs where it has none built in."""
    machine = machines().get(pool.machine_type)
    if not isinstance(pool, GpuPool) or not pool.has_gpus or (machine and machine.accelerator):
        return ((pool.machine_type, 1),)
    return ((pool.machine_type, 1), (pool.accelerator, pool.gpus_per_node))
