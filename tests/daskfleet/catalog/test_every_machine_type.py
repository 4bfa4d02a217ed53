"""Unit: what the catalog offers is somewhere, and never without a price in silence."""

from pathlib import Path

import pytest

from daskfleet.catalog.accelerators import accelerators, attach_limits, zones
from daskfleet.catalog.machines import Machine, machines
from daskfleet.catalog.prices import REFERENCE_REGION, catalog_prices
from daskfleet.planning.cost import estimate
from daskfleet.settings.stack import Stack
from tests.daskfleet.planning.documents import Document, minimal

OFFERED = [machine for machine in machines().values() if not machine.not_for_pools]
ATTACHABLE = sorted({name for name, _ in attach_limits()})


def pool_of(machine: Machine, *, spot: bool) -> Document:
    gpus = {"accelerator": machine.accelerator, "gpus_per_node": machine.accelerator_count}
    return {
        "name": "it",
        "machine_type": machine.name,
        "spot": spot,
        **(gpus if machine.accelerator else {"accelerator": "none"}),
    }


def unpriced(pool: Document) -> tuple[tuple[str, ...], tuple[str, ...]]:
    cost = estimate(Stack.model_validate(minimal(worker_pools=[pool])))
    return cost.unpriced, tuple(note for note in cost.notes if "price is known" in note)


@pytest.mark.parametrize("spot", [False, True], ids=["on demand", "spot"])
@pytest.mark.parametrize("machine", OFFERED, ids=lambda machine: machine.name)
def test_no_machine_type_has_an_unknown_price_without_saying_so(
    machine: Machine, *, spot: bool
) -> None:
    unknown, said = unpriced(pool_of(machine, spot=spot))
    price = catalog_prices().get((machine.name, REFERENCE_REGION))
    of_kind = None if price is None else price.usd_spot if spot else price.usd

    assert bool(unknown) == (of_kind is None and (price is None or price.usd is None))
    if of_kind is None:
        (note,) = said
        assert machine.name in note
    else:
        assert said == ()


@pytest.mark.parametrize("spot", [False, True], ids=["on demand", "spot"])
@pytest.mark.parametrize("accelerator", ATTACHABLE)
def test_no_attached_gpu_has_an_unknown_price_without_saying_so(
    accelerator: str, *, spot: bool
) -> None:
    pool = {
        "name": "it",
        "machine_type": "n1-standard-8",
        "accelerator": accelerator,
        "gpus_per_node": 1,
        "spot": spot,
    }
    unknown, said = unpriced(pool)

    assert unknown == ()
    if spot and catalog_prices()[accelerator, REFERENCE_REGION].usd_spot is None:
        assert accelerator in said[0]


@pytest.mark.parametrize("machine", OFFERED, ids=lambda machine: machine.name)
def test_a_machine_type_has_a_disk_to_boot_from_with_a_price_and_a_region(machine: Machine) -> None:
    assert (machine.disks[0], REFERENCE_REGION) in catalog_prices()
    assert machine.regions


def test_every_gpu_is_somewhere() -> None:
    in_zones = {name for zone in zones().values() for name in zone.accelerators}
    for gpu in accelerators().values():
        assert (gpu.name in in_zones) != bool(gpu.regions), gpu.name


def test_an_nvlink_domain_holds_the_gpus_of_a_machine() -> None:
    for machine in machines().values():
        assert machine.nvlink_gpus == 0 or machine.nvlink_gpus >= (machine.accelerator_count or 0)


def shown(numbers: set[int]) -> str:
    return ", ".join(map(str, sorted(numbers)))


def row_of(accelerator: str) -> tuple[str, ...]:
    """What docs/pools.md has to say of a GPU."""
    gpu = accelerators()[accelerator]
    built_in = [each for each in machines().values() if each.accelerator == accelerator]
    series = dict.fromkeys(f"`{each.name.rpartition('-')[0]}`" for each in built_in)
    counts = {each.accelerator_count or 0 for each in built_in}
    counts |= {count for name, count in attach_limits() if name == accelerator}
    (disk,) = {each.disks[0] for each in built_in or [machines()["n1-standard-2"]]}
    return (
        f"`{accelerator}`",
        ", ".join(series) or "attached to `n1`",
        shown(counts),
        "unknown" if gpu.memory_gib is None else f"{gpu.memory_gib:g}",
        str(gpu.compute_capability),
        nvlink(built_in),
        f"`{disk}`",
    )


def nvlink(built_in: list[Machine]) -> str:
    if not built_in:
        return "unknown"
    largest = max(built_in, key=lambda each: each.nvlink_gpus)
    if largest.nvlink_gpus > (largest.accelerator_count or 0):
        others = largest.nvlink_gpus // (largest.accelerator_count or 1)
        return f"{largest.nvlink_gpus}, over {others} machines"
    return "all of a machine" if largest.nvlink_gpus else "none"


def test_the_page_of_pools_has_each_gpu_as_the_catalog_has_it() -> None:
    lines = Path("docs/pools.md").read_text("utf-8").splitlines()
    told = {
        cells[0]: cells
        for line in lines
        if line.startswith("| `nvidia-") and len(cells := tuple(line.strip("| ").split(" | "))) == 7
    }

    assert told == {f"`{name}`": row_of(name) for name in accelerators()}
