"""Unit tests: node sizes against nodes that somebody described."""

import pytest

from daskfleet.catalog.machines import Machine, daemonsets, machines
from daskfleet.planning.node_room import MIB_PER_GIB, gpu_node_room

# Allocatable memory in KiB and CPU of GKE nodes, from `kubectl describe node`: n2-standard-4 of
# 1.36.3 (2026-10), the others of 1.25 (github.com/2i2c-org/infrastructure issue 2121).
DESCRIBED = {
    "n2-standard-4": (4, 16, 13_591_652, 3920),
    "n2-highmem-4": (4, 32, 29_085_928, 3920),
    "n2-highmem-16": (16, 128, 122_210_676, 15890),
    "n2-highmem-64": (64, 512, 510_603_916, 63770),
}


@pytest.mark.parametrize("name", DESCRIBED)
def test_the_room_on_a_node_is_that_of_a_real_one_and_never_more(name: str) -> None:
    vcpus, memory_gib, allocatable_kib, allocatable_cpu_m = DESCRIBED[name]
    machine = Machine(
        source=(),
        name=name,
        vcpus=vcpus,
        memory_gib=memory_gib,
        accelerator=None,
        accelerator_count=None,
        disks=("pd-balanced",),
        local_ssd_gib=0,
        nvlink_gpus=0,
        regions=(),
        not_for_pools=None,
    )
    room = gpu_node_room(machine, slots=1, max_pods=32)
    agents_cpu_m = sum(each.cpu_m for each in daemonsets())
    agents_mib = sum(each.memory_mib for each in daemonsets())
    assert room.cpu_m + agents_cpu_m == allocatable_cpu_m
    below_mib = allocatable_kib / 1024 - (room.memory_mib + agents_mib)
    assert 0 <= below_mib < 100


def test_every_machine_with_built_in_gpus_has_room_for_a_worker_per_gpu() -> None:
    for machine in machines().values():
        if machine.accelerator_count:
            room = gpu_node_room(machine, slots=machine.accelerator_count, max_pods=32)
            assert room.cpu_m / room.slots >= 1000, machine.name
            assert room.memory_mib / room.slots >= 8 * MIB_PER_GIB, machine.name


def test_pods_that_pull_images_take_their_part_of_the_node() -> None:
    machine = machines()["a2-highgpu-1g"]
    without, with_three = (
        gpu_node_room(machine, slots=1, max_pods=32, pulls=pulls) for pulls in (0, 3)
    )

    assert without.cpu_m - with_three.cpu_m == 3
    assert without.memory_mib - with_three.memory_mib == 24
    assert without.pods - with_three.pods == 3


def test_a_node_too_small_for_gke_itself_has_no_room_instead_of_a_negative_one() -> None:
    tiny = Machine(
        source=(),
        name="tiny",
        vcpus=1,
        memory_gib=1,
        accelerator=None,
        accelerator_count=None,
        disks=("pd-balanced",),
        local_ssd_gib=0,
        nvlink_gpus=0,
        regions=(),
        not_for_pools=None,
    )
    room = gpu_node_room(tiny, slots=1, max_pods=8)
    assert (room.memory_mib, room.pods) == (0, 0)
