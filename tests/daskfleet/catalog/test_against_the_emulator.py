"""Unit: catalog and emulator, which are written apart, agree about machine types."""

import pytest

from daskfleet.catalog.machines import machines
from rehearsal.emulator.machines import machine_type

CATALOG = machines()


@pytest.mark.parametrize("name", CATALOG)
def test_a_machine_type_of_the_catalog_has_the_same_size_in_the_rehearsal(name: str) -> None:
    listed = CATALOG[name]
    for region in listed.regions:
        emulated = machine_type(name, zone=f"{region}-a")
        assert (listed.vcpus, listed.memory_gib) == (emulated.vcpus, emulated.memory_gb)
        assert (listed.accelerator or "") == emulated.accelerator
        assert (listed.accelerator_count or 0) == emulated.accelerator_count
