"""Machine types and accelerators: what exists where, and what may be combined.

The checks are those that GKE makes before it creates a pool; the figures are in
``data/machines.yaml`` with their sources.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from rehearsal.emulator.errors import InvalidArgumentError, UnimplementedError

if TYPE_CHECKING:
    from rehearsal.emulator.document import Document

DATA = Path(__file__).parent / "data"

_TYPE_OF_SERIES = re.compile(r"([a-z0-9]+-[a-z]+)-\d+g?")
"""``n2-standard-8``, ``a2-highgpu-1g``."""
_REGION = re.compile(r"[a-z]+-[a-z]+\d+")
"""``us-central1``."""
_LIKE_GOOGLES = re.compile(r"(?:[a-z]{1,2}\d[a-z]{0,2}-|custom-).+")
"""As Google calls its machine types: a letter or two, a generation, perhaps more letters."""


@dataclass(frozen=True, kw_only=True)
class Machine:
    """One machine type."""

    vcpus: int
    memory_gb: float
    """GiB, as Compute Engine counts."""
    accelerator: str = ""
    accelerator_count: int = 0
    """Built in; 0 when accelerators are attached or impossible."""
    attachable: bool = False
    allocatable_millicpu: int | None = None
    """Only where GKE does not follow its own formula (shared-core types)."""


@dataclass(frozen=True, kw_only=True)
class _AttachLimit:
    accelerator: str
    count: int
    max_vcpus: int
    max_memory_gb: float


@functools.cache
def _data() -> Document:
    data: Document = yaml.safe_load((DATA / "machines.yaml").read_text(encoding="utf-8"))
    return data


def region_of(zone: str) -> str:
    """Return the region of a zone (``us-central1`` of ``us-central1-c``)."""
    return zone.rsplit("-", 1)[0]


def zones_in(region: str) -> tuple[str, ...]:
    """Return the known zones of a region, none for a region that is not known."""
    zones = [*_data()["zone_accelerators"], *_data()["other_zones"]]
    return tuple(sorted(zone for zone in zones if region_of(zone) == region))


def accelerators_in(zone: str) -> tuple[str, ...]:
    """Return the accelerators of a zone.

    Of some the source names regions only: these are taken as being in each of a region's zones.
    """
    of_region = _data()["region_accelerators"].items()
    return (
        *_data()["zone_accelerators"].get(zone, ()),
        *(name for name, regions in of_region if region_of(zone) in regions),
    )


@functools.cache
def _accelerators() -> tuple[str, ...]:
    """Return all accelerators that the data has."""
    by_zone = {name for names in _data()["zone_accelerators"].values() for name in names}
    return tuple(sorted(by_zone.union(_data()["region_accelerators"])))


def most_cards(accelerator: str) -> int:
    """Return how many of an accelerator the largest machine has."""
    built_in = [
        row["accelerator_count"]
        for row in _data()["machine_types"].values()
        if row.get("accelerator") == accelerator
    ]
    attached = [
        row["count"] for row in _data()["attach_limits"] if row["accelerator"] == accelerator
    ]
    return max([*built_in, *attached], default=0)


def zones_of(region: str) -> tuple[str, ...]:
    """Return the zones of a region, at most three, as GKE spreads a regional cluster.

    Raises InvalidArgumentError for what cannot be a region, UnimplementedError for a region that
    Google may well have.
    """
    zones = zones_in(region)
    if zones:
        return zones[:3]
    if _REGION.fullmatch(region):
        raise UnimplementedError(f"The emulator does not know the zones of region '{region}'.")
    raise InvalidArgumentError(f"Location {region!r} does not exist.")


@functools.cache
def _series() -> tuple[str, ...]:
    """Return the series of which the data has every machine type."""
    types: Document = _data()["machine_types"]
    return tuple(sorted({found[1] for name in types if (found := _TYPE_OF_SERIES.fullmatch(name))}))


def emulated_types() -> tuple[str, ...]:
    """Return the machine types of which the data has figures."""
    return tuple(_data()["machine_types"])


def machine_type(name: str, *, zone: str) -> Machine:
    """Return a machine type.

    Raises InvalidArgumentError when ``zone`` does not have it, and UnimplementedError when it may
    well, but the emulator has no figures of its series.
    """
    row = _data()["machine_types"].get(name)
    regions = _data()["series_regions"].get("-".join(name.split("-")[:2]))
    of_series = _TYPE_OF_SERIES.fullmatch(name)
    is_known = row is not None or (of_series is not None and of_series[1] in _series())
    if name in _data()["fractions_of_a_gpu"]:
        raise UnimplementedError(
            f"The emulator does not model machine type '{name}', which has a part of a GPU."
        )
    if not is_known and _LIKE_GOOGLES.fullmatch(name):
        raise UnimplementedError(
            f"The emulator does not know machine type '{name}', which Google may well have. It "
            f"knows the series {', '.join(_series())}."
        )
    if row is None or (regions is not None and region_of(zone) not in regions):
        raise InvalidArgumentError(
            f"Machine type with name '{name}' does not exist in zone '{zone}'."
        )
    return Machine(**row)


def _takes_hyperdisk_only(machine_name: str) -> bool:
    return machine_name.startswith(tuple(f"{each}-" for each in _data()["hyperdisk_series"]))


def boot_disk_type(machine_name: str, *, usual: str) -> str:
    """Return the type of the boot disk that GKE gives a pool that names none.

    It is Hyperdisk where the machine takes no other. Google's mock of GKE has it so for N4
    (``bench/recordings/containernodepool-advanced-machine-features.jsonl``), and the documents of
    N4, C4 and the rest say that they take no other.
    """
    return "hyperdisk-balanced" if _takes_hyperdisk_only(machine_name) else usual


def check_boot_disk(machine_name: str, *, disk_type: str) -> None:
    """Raise InvalidArgumentError for a Persistent Disk where a machine takes Hyperdisk only."""
    if _takes_hyperdisk_only(machine_name) and not disk_type.startswith("hyperdisk-"):
        raise InvalidArgumentError(
            f"Machine type {machine_name} boots from Hyperdisk only; the pool's disk type is "
            f"{disk_type}. Name one, hyperdisk-balanced for example."
        )


def partitions_per_gpu(accelerator: str, size: str) -> int:
    """Return into how many partitions of a size (MIG) GKE divides a GPU.

    Raises InvalidArgumentError for a GPU that cannot be divided, or not so.
    """
    sizes = _data()["partitions"].get(accelerator, {})
    if size not in sizes:
        raise InvalidArgumentError(
            f'GPU partition size "{size}" is not supported for accelerator type "{accelerator}"; '
            f"supported: {', '.join(sizes) or 'none'}."
        )
    return int(sizes[size])


def check_accelerators(machine_name: str, *, accelerator: str, count: int, zone: str) -> None:
    """Raise InvalidArgumentError unless ``zone`` has such machines with ``count`` accelerators.

    Raises UnimplementedError for machines of which the emulator has no figures.
    ``accelerator`` is empty and ``count`` 0 when the pool asks for none.
    """
    machine = machine_type(machine_name, zone=zone)
    if accelerator.startswith("nvidia-") and accelerator not in _accelerators():
        raise UnimplementedError(
            f"The emulator does not know accelerator type '{accelerator}', which Google may well "
            f"have. It knows {', '.join(_accelerators())}."
        )
    if accelerator and accelerator not in accelerators_in(zone):
        raise InvalidArgumentError(
            f'Accelerator type "{accelerator}" does not exist in zone {zone}.'
        )
    if machine.accelerator:
        if (accelerator, count) != (machine.accelerator, machine.accelerator_count):
            raise InvalidArgumentError(
                f"Machine type {machine_name} has exactly {machine.accelerator_count} x "
                f"{machine.accelerator}; the pool asks for {count} x {accelerator or 'none'}."
            )
    elif accelerator:
        _check_attachment(machine_name, machine, accelerator=accelerator, count=count)


def _check_attachment(machine_name: str, machine: Machine, *, accelerator: str, count: int) -> None:
    if not machine.attachable:
        raise InvalidArgumentError(
            f"Machine type {machine_name} cannot have accelerators attached; N1 types can."
        )
    limits = [_AttachLimit(**row) for row in _data()["attach_limits"]]
    of_type = {limit.count: limit for limit in limits if limit.accelerator == accelerator}
    limit = of_type.get(count)
    if limit is None:
        raise InvalidArgumentError(
            f"{count} x {accelerator} cannot be attached; allowed counts: "
            f"{', '.join(map(str, of_type)) or 'none'}."
        )
    if machine.vcpus > limit.max_vcpus or machine.memory_gb > limit.max_memory_gb:
        raise InvalidArgumentError(
            f"{count} x {accelerator} allow at most {limit.max_vcpus} vCPUs and "
            f"{limit.max_memory_gb:g} GB; {machine_name} has {machine.vcpus} and "
            f"{machine.memory_gb:g} GB."
        )
