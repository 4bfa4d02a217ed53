"""Unit: what the catalog offers is somewhere, and never without a price in silence."""

import pytest

from daskfleet.catalog.accelerators import accelerators, attach_limits, zones
from daskfleet.catalog.machines import Machine, machines
from daskfleet.catalog.prices import REFERENCE_REGION, catalog_prices
from daskfleet.planning.cost import estimate
from daskfleet.settings.stack import Stack
from tests.daskfleet.planning.documents import Document, minimal

OFFERED = [machine for machine in machines().values() if not machine.not_for_pools]
ATTACHABLE = sorted({name for name, _ in attach_limits()})
NOT_ON_DEMAND = {"a4-highgpu-8g"}
"""Google's price page has no price on demand of it (gce_prices)."""


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
    price = catalog_prices()[machine.name, REFERENCE_REGION]

    assert unknown == ((machine.name,) if machine.name in NOT_ON_DEMAND and not spot else ())
    if unknown or (spot and price.usd_spot is None):
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
