"""Unit: catalog and emulator, which are written apart, agree about machine types."""

import pytest

from daskfleet.catalog.machines import machines
from rehearsal.emulator.errors import InvalidArgumentError, UnimplementedError
from rehearsal.emulator.machines import check_boot_disk, emulated_types, machine_type

CATALOG = machines()


@pytest.mark.parametrize("name", CATALOG)
def test_a_machine_type_of_the_catalog_has_the_same_size_in_the_rehearsal(name: str) -> None:
    listed = CATALOG[name]
    for region in listed.regions:
        try:
            emulated = machine_type(name, zone=f"{region}-a")
        except UnimplementedError:
            # It says itself that it does not know the type, and so contradicts nothing.
            assert name not in emulated_types()
            return
        assert (listed.vcpus, listed.memory_gib) == (emulated.vcpus, emulated.memory_gb)
        assert (listed.accelerator or "") == emulated.accelerator
        assert (listed.accelerator_count or 0) == emulated.accelerator_count


@pytest.mark.parametrize("name", CATALOG)
def test_a_machine_boots_in_the_rehearsal_from_the_disk_that_the_catalog_names_first(
    name: str,
) -> None:
    first, *others = CATALOG[name].disks
    check_boot_disk(name, disk_type=first)
    if first.startswith("hyperdisk-"):
        assert not [each for each in others if each.startswith("pd-")]
        with pytest.raises(InvalidArgumentError, match="boots from Hyperdisk only"):
            check_boot_disk(name, disk_type="pd-balanced")


def test_the_rehearsal_knows_most_of_the_catalog() -> None:
    assert len(CATALOG.keys() & set(emulated_types())) > 0.9 * len(CATALOG)
