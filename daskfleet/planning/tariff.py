"""The prices of one region."""

from collections.abc import Iterable
from datetime import date

from daskfleet.catalog.commitments import commitments
from daskfleet.catalog.machines import machines
from daskfleet.catalog.prices import REFERENCE_REGION, Price, prices
from daskfleet.planning.boot_disks import boot_disk
from daskfleet.planning.cost_lines import HOURS_PER_MONTH
from daskfleet.planning.pools import gpu_slots
from daskfleet.settings.committed_use import CommittedUse
from daskfleet.settings.pools import GpuPool, Pool
from daskfleet.settings.stack import Stack


class Tariff:
    """What things cost a stack in its region; remembers what it was asked."""

    def __init__(self, stack: Stack) -> None:
        self._region = stack.region
        self._given = stack.prices
        self.used: set[Price] = set()
        self.given: set[str] = set()
        self.unknown: set[str] = set()
        self.without_spot: set[str] = set()
        self.uncommitted: set[str] = set()

    def usd_per_hour(self, item: str, *, is_spot: bool = False) -> float | None:
        """One hour of an item; None when no price is known, which ``unknown`` then says."""
        if given := self._given.get(item):
            self.given.add(item)
            of_spot = given.usd_per_hour_spot if is_spot else None
            return given.usd_per_hour if of_spot is None else of_spot
        known = prices()
        price = (
            known.get((item, self._region))
            or known.get((item, None))
            or known.get((item, REFERENCE_REGION))
        )
        spot = price.usd_spot if price and is_spot else None
        usd = price.usd if price and spot is None else spot
        if price is None or usd is None:
            self.unknown.add(item)
            return None
        self.used.add(price)
        if is_spot and spot is None:
            self.without_spot.add(item)
        return usd / HOURS_PER_MONTH if price.unit == "GiB month" else usd

    def node(self, pool: Pool) -> float | None:
        """One node for one hour, with its GPUs and its boot disk; None when a price is missing."""
        is_spot = isinstance(pool, GpuPool) and pool.spot
        parts = [
            _times(count, self.usd_per_hour(item, is_spot=is_spot)) for item, count in rented(pool)
        ]
        return total([*parts, _times(pool.disk_size_gb, self.usd_per_hour(boot_disk(pool)))])

    def committed(self, pool: Pool, use: CommittedUse) -> float:
        """What the commitment takes off one hour of a node that is always there.

        Nothing of a price that the stack file gives: that is what is paid.
        """
        saved = 0.0
        for item, count in rented(pool):
            if item in self._given:
                continue
            # Commitments are sold for a series of machines, not for one of its types.
            series = item.rpartition("-")[0] if item == pool.machine_type else item
            discount = commitments().get(series)
            percent = discount.percent(use.years) if discount else None
            usd = self.usd_per_hour(item)
            if percent is None:
                self.uncommitted.add(series)
            elif usd is not None:
                saved += count * usd * percent / 100
        return saved * use.percent / 100

    @property
    def borrowed(self) -> list[str]:
        """Items whose price is that of another region."""
        return sorted(price.item for price in self.used if price.region not in {self._region, None})

    @property
    def own(self) -> list[str]:
        """Items whose price is that of a file beside the stack files."""
        return sorted({price.item for price in self.used if price.read_on})

    @property
    def undated(self) -> list[str]:
        """Items whose price has no date."""
        return sorted({price.item for price in self.used if price.date is None})

    @property
    def oldest(self) -> date:
        """The date of the oldest dated price; the cluster fee always has one."""
        return min(price.date for price in self.used if price.date)


def total(parts: Iterable[float | None]) -> float | None:
    """The sum of prices; None when one of them is not known."""
    known = list(parts)
    return None if None in known else sum(part for part in known if part is not None)


def reserved_machine(pool: GpuPool, tariff: Tariff) -> float | None:
    """One hour of a machine of a pool's reservation: a node without its boot disk."""
    return total(_times(count, tariff.usd_per_hour(item)) for item, count in rented(pool))


def usd_per_gpu(pool: GpuPool, tariff: Tariff) -> float | None:
    """One hour of one of a pool's GPUs, or of a share of it, with its part of machine and disk."""
    node = tariff.node(pool)
    return None if node is None else node / gpu_slots(pool)


def _times(count: float, usd: float | None) -> float | None:
    return None if usd is None else count * usd


def rented(pool: Pool) -> tuple[tuple[str, int], ...]:
    """What a node consists of, its disk apart: the machine, and GPUs where it has none built in."""
    machine = machines().get(pool.machine_type)
    if not isinstance(pool, GpuPool) or not pool.has_gpus or (machine and machine.accelerator):
        return ((pool.machine_type, 1),)
    return ((pool.machine_type, 1), (pool.accelerator, pool.gpus_per_node))
