"""Unit tests: the facts agree with each other, and each says where it was read."""

import pytest

from daskfleet.catalog.accelerators import accelerators, attach_limits, gpu_name, zones
from daskfleet.catalog.changes import change_pins, change_rows
from daskfleet.catalog.commitments import commitments
from daskfleet.catalog.disk import disk_uses
from daskfleet.catalog.durations import durations
from daskfleet.catalog.gpu_metrics import gpu_metrics
from daskfleet.catalog.helper_images import helper_images
from daskfleet.catalog.machines import daemonsets, machines
from daskfleet.catalog.partitions import partitions
from daskfleet.catalog.prices import CLOUD_BILLING, REFERENCE_REGION, prices
from daskfleet.catalog.quotas import quotas
from daskfleet.catalog.skus import SkuName
from daskfleet.catalog.software import cuda_majors, newest_gke_drivers, rapids_releases
from daskfleet.catalog.tables import Row, read_table, sources


def all_rows() -> list[Row]:
    return [
        *machines().values(),
        *daemonsets(),
        *accelerators().values(),
        *attach_limits().values(),
        *partitions().values(),
        *gpu_metrics().values(),
        *zones().values(),
        *cuda_majors().values(),
        *rapids_releases().values(),
        newest_gke_drivers(),
        *prices().values(),
        *commitments().values(),
        *read_table("skus", SkuName),
        *quotas().values(),
        *durations().values(),
        *disk_uses().values(),
        *helper_images().values(),
        *change_pins().values(),
        *(row for rows in change_rows().values() for row in rows),
    ]


def test_every_fact_says_where_it_was_read() -> None:
    known = set(sources())
    for row in all_rows():
        assert row.source, row
        assert set(row.source) <= known, row


def test_every_source_is_used() -> None:
    used = {name for row in all_rows() for name in row.source}
    assert set(sources()) == used | {CLOUD_BILLING}


def test_every_named_accelerator_is_known() -> None:
    named = {machine.accelerator for machine in machines().values() if machine.accelerator}
    named |= {name for name, _ in attach_limits()}
    named |= {name for name, _ in partitions()}
    named |= {name for zone in zones().values() for name in zone.accelerators}
    assert named <= set(accelerators())


def test_every_price_elsewhere_has_one_in_the_region_that_stands_in() -> None:
    without = {
        item
        for item, region in prices()
        if region is not None and (item, REFERENCE_REGION) not in prices()
    }
    assert without == set()


def test_spot_is_never_dearer() -> None:
    for price in prices().values():
        assert price.usd is None or price.usd_spot is None or price.usd_spot <= price.usd, price


def test_every_rapids_release_has_a_known_cuda_major_and_at_least_its_driver() -> None:
    for release in rapids_releases().values():
        cuda = cuda_majors()[release.cuda_major]
        assert release.min_driver_branch >= cuda.min_driver_branch, release


@pytest.mark.parametrize(
    ("accelerator", "name"),
    [
        ("nvidia-tesla-a100", "A100"),
        ("nvidia-a100-80gb", "A100 80GB"),
        ("nvidia-l4", "L4"),
        ("nvidia-tesla-t4", "T4"),
    ],
)
def test_a_gpu_is_called_as_people_call_it(accelerator: str, name: str) -> None:
    assert gpu_name(accelerator) == name


def test_only_cards_of_compute_capability_8_and_more_are_divided() -> None:
    for name, size in partitions():
        assert accelerators()[name].compute_capability >= 8, (name, size)


def test_the_partitions_of_a_gpu_have_no_more_memory_than_the_gpu() -> None:
    for (name, size), row in partitions().items():
        whole = accelerators()[name].memory_gib
        if row.memory_gib and whole:
            assert row.per_gpu * row.memory_gib <= whole, (name, size)
