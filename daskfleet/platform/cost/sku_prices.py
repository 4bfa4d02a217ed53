"""Pure: which SKUs of Google's billing catalog make the price of which machine, GPU and disk.

What is not found, or found twice at different prices, is said and never guessed. Prices of
reservations, commitments and Flex-start have SKUs of their own, with other descriptions, and are
none of these.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from daskfleet.catalog.accelerators import attach_limits
from daskfleet.catalog.machines import Machine, machines
from daskfleet.catalog.prices import CLOUD_BILLING, Price
from daskfleet.catalog.skus import Part, sku_names
from daskfleet.google_cloud.billing_catalog import Sku
from daskfleet.planning.cost_lines import HOURS_PER_MONTH

Kind = Literal["on demand", "spot"]
Unit = Literal["hour", "GiB month"]

Formula = tuple[tuple[float, Part, str], ...]
"""So much of each part."""

GIB_PER_GB = 2**30 / 10**9
"""A price per thousand millions of bytes, times this, is one per GiB."""

UNITS: dict[Part, dict[str, float]] = {
    "core": {"h": 1},
    "gpu": {"h": 1},
    "slice": {"h": 1},
    "ram": {"GiBy.h": 1, "GBy.h": GIB_PER_GB},
    "disk": {"GiBy.mo": 1},
    "local-ssd": {"GiBy.mo": 1},
}
"""Units that each part is sold by, and what makes a price per hour, GiB hour or GiB month of it."""

SPOT_BEFORE: tuple[Part, ...] = ("core", "ram", "slice")
"""Whose spot SKUs begin with the word; those of the others end with it."""

DECIMALS = 6


class UnmappedError(Exception):
    """A part has no price."""


@dataclass(frozen=True, kw_only=True)
class SkuPrices:
    """The prices of one region."""

    prices: tuple[Price, ...]
    unmapped: dict[str, str]
    """What has no price at all, with the reason."""


def sku_prices(skus: Sequence[Sku], *, region: str, today: date) -> SkuPrices:
    """The prices of all that the catalog offers in a region.

    Args:
        skus: all of Compute Engine's.
        region: for example ``us-central1``.
        today: when they were read.
    """
    parts = _Parts(skus, region=region)
    prices: list[Price] = []
    unmapped: dict[str, str] = {}
    for item, unit, formula in _wanted(region):
        usd, why = _total(parts, formula, "on demand")
        spot = _total(parts, formula, "spot")[0] if unit == "hour" else None
        if usd is None and spot is None:
            unmapped[item] = why
            continue
        price = Price(
            item=item,
            region=region,
            unit=unit,
            usd=usd,
            usd_spot=spot,
            read_on=today,
            source=(CLOUD_BILLING,),
        )
        prices.append(price)
    return SkuPrices(prices=tuple(prices), unmapped=unmapped)


def _wanted(region: str) -> Iterator[tuple[str, Unit, Formula]]:
    """All that has a price of its own there: machine types, attached GPUs, boot disks."""
    offered = [
        machine
        for machine in machines().values()
        if region in machine.regions and not machine.not_for_pools
    ]
    for machine in offered:
        yield machine.name, "hour", _of_machine(machine)
    for gpu in sorted({name for name, _ in attach_limits()}):
        yield gpu, "hour", ((1.0, "gpu", gpu),)
    for disk in sorted({machine.disks[0] for machine in offered}):
        yield disk, "GiB month", ((1.0, "disk", disk),)


def _of_machine(machine: Machine) -> Formula:
    """The parts of a machine; the series where that has SKUs of its own, else its family."""
    series, family = machine.name.rpartition("-")[0], machine.name.partition("-")[0]
    if ("slice", series) in sku_names():
        return ((machine.accelerator_count or 0, "slice", series),)
    of = series if ("core", series) in sku_names() else family
    gpus: Formula = (
        ((machine.accelerator_count or 0, "gpu", machine.accelerator),)
        if machine.accelerator
        else ()
    )
    ssd: Formula = (
        ((machine.local_ssd_gib / HOURS_PER_MONTH, "local-ssd", "local-ssd"),)
        if machine.local_ssd_gib
        else ()
    )
    return ((machine.vcpus, "core", of), (machine.memory_gib, "ram", of), *gpus, *ssd)


def _total(parts: "_Parts", formula: Formula, kind: Kind) -> tuple[float | None, str]:
    try:
        usd = sum(count * parts.usd(part, of, kind) for count, part, of in formula)
    except UnmappedError as error:
        return None, str(error)
    rounded = round(usd, DECIMALS)
    return (rounded, "") if rounded else (None, f"its SKUs give less than 1e-{DECIMALS} USD")


class _Parts:
    """The SKUs of one region by what they are part of."""

    def __init__(self, skus: Iterable[Sku], *, region: str) -> None:
        self._region = region
        self._skus = [sku for sku in skus if region in sku.service_regions]

    def usd(self, part: Part, of: str, kind: Kind) -> float:
        """The price of one.

        Raises:
            UnmappedError: no SKU has one, or two have different ones.
        """
        names = sku_names().get((part, of))
        if names is None:
            msg = f"the name in the billing catalog is unknown for the {part} of {of}"
            raise UnmappedError(msg)
        pattern = re.compile("|".join(_pattern(name, part, kind) for name in names))
        found = {
            sku.description: (sku.usd, UNITS[part].get(sku.unit or ""))
            for sku in self._skus
            if pattern.fullmatch(sku.description) and _is_of_kind(sku, kind)
        }
        if not found:
            msg = f"no SKU of {self._region} is called {' or '.join(names)}, {kind}"
            raise UnmappedError(msg)
        rates: set[float] = set()
        for description, (usd, factor) in found.items():
            if usd is None or factor is None:
                msg = f"SKU {description!r} has no single price in a unit of its part"
                raise UnmappedError(msg)
            rates.add(usd * factor)
        if len(rates) > 1:
            msg = f"SKUs with different prices: {', '.join(map(repr, sorted(found)))}"
            raise UnmappedError(msg)
        return rates.pop()


def _pattern(name: str, part: Part, kind: Kind) -> str:
    """Descriptions of one part: its name, the kind, and a place.

    Commitments begin with ``Commitment v1:``, reservations with ``Reserved``, and Flex-start has
    ``attached to DWS Defined Duration VMs`` in the middle: none of them fits.
    """
    words = re.escape(name)
    if part in {"disk", "local-ssd"}:
        place = "(?: in .+)?"
        spot = " attached to Spot Preemptible VMs(?: running)?"
    else:
        place = " running in .+"
        spot = " attached to Spot Preemptible VMs"
    if kind == "on demand":
        return words + place
    return f"Spot Preemptible {words}{place}" if part in SPOT_BEFORE else words + spot + place


def _is_of_kind(sku: Sku, kind: Kind) -> bool:
    """Whether the usage type agrees; some spot SKUs are filed as on demand (catalog: sc_skus)."""
    usage = sku.category.usage_type
    return usage == "OnDemand" or (kind == "spot" and usage == "Preemptible")
