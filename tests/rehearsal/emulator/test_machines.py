"""Machine types, accelerators and zones that the emulator knows, and what it says of others."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import daskfleet.catalog
from rehearsal.emulator.errors import InvalidArgumentError, UnimplementedError
from rehearsal.emulator.machines import (
    accelerators_in,
    check_accelerators,
    check_boot_disk,
    machine_type,
    zones_in,
    zones_of,
)

CATALOG = Path(daskfleet.catalog.__file__).parent / "data"
ZONE = "us-central1-c"


def rows(name: str) -> list[dict[str, str]]:
    with (CATALOG / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("row", rows("zones.csv"), ids=lambda row: row["name"])
def test_each_zone_of_the_catalog_has_the_accelerators_that_it_has_there(
    row: dict[str, str],
) -> None:
    assert set(row["accelerators"].split()) <= set(accelerators_in(row["name"]))


@pytest.mark.parametrize(
    "name",
    [
        *(f"{family}-standard-7" for family in ("e2", "n1", "n2", "n2d", "c2", "c3", "n4", "c4")),
        *("t2d-standard-7", "g2-standard-7", "g4-standard-7"),
        *("a2-highgpu-7g", "a3-highgpu-7g", "a4-highgpu-7g"),
    ],
)
def test_a_type_that_no_emulated_series_has_does_not_exist(name: str) -> None:
    with pytest.raises(InvalidArgumentError, match="does not exist in zone"):
        machine_type(name, zone=ZONE)


def test_an_accelerator_of_which_only_the_region_is_known_is_in_its_zones() -> None:
    check_accelerators("a4-highgpu-8g", accelerator="nvidia-b200", count=8, zone=ZONE)
    check_accelerators("g4-standard-96", accelerator="nvidia-rtx-pro-6000", count=2, zone=ZONE)
    with pytest.raises(InvalidArgumentError, match="does not exist in zone"):
        check_accelerators("a4-highgpu-8g", accelerator="nvidia-b200", count=8, zone="us-west4-a")


def test_an_accelerator_that_is_not_listed_is_not_said_not_to_exist() -> None:
    with pytest.raises(UnimplementedError, match="does not know accelerator type 'nvidia-gb200'"):
        check_accelerators("n1-standard-4", accelerator="nvidia-gb200", count=1, zone=ZONE)
    with pytest.raises(InvalidArgumentError, match='"quick-card" does not exist in zone'):
        check_accelerators("n1-standard-4", accelerator="quick-card", count=1, zone=ZONE)


def test_a_machine_with_a_part_of_a_gpu_is_said_not_to_be_modelled() -> None:
    with pytest.raises(UnimplementedError, match=r"emulator does not model .*g4-standard-6"):
        machine_type("g4-standard-6", zone=ZONE)


def test_machines_of_the_fourth_generation_boot_from_hyperdisk() -> None:
    check_boot_disk("c4-standard-4", disk_type="hyperdisk-balanced")
    check_boot_disk("c3-standard-4", disk_type="pd-balanced")
    with pytest.raises(InvalidArgumentError, match="n4-standard-4 boots from Hyperdisk only"):
        check_boot_disk("n4-standard-4", disk_type="pd-balanced")


def test_a_zone_without_gpus_exists_and_a_region_that_is_not_known_may() -> None:
    assert zones_in("us-west2") == ("us-west2-a", "us-west2-b", "us-west2-c")
    assert accelerators_in("us-west2-a") == ("nvidia-b200",)
    with pytest.raises(UnimplementedError, match="does not know the zones of region"):
        zones_of("northamerica-south1")
    with pytest.raises(InvalidArgumentError, match="does not exist"):
        zones_of("Utopia")
