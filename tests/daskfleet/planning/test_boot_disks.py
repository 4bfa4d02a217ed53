"""Unit: a pool boots from a type of disk that its machine series takes, and pays for that."""

import pytest

from daskfleet.catalog.machines import machines
from daskfleet.catalog.prices import prices
from daskfleet.planning.boot_disks import boot_disk
from daskfleet.planning.cost import estimate
from daskfleet.planning.node_pool_spec import pool_specs
from daskfleet.planning.quota import amounts, shape_of
from daskfleet.settings.pools import SystemPool, WorkerPool
from daskfleet.settings.stack import Stack
from tests.daskfleet.planning.documents import minimal

BEFORE_HYPERDISK = [name for name in machines() if name.split("-")[0] in {"a2", "g2", "n1", "e2"}]


def worker_pool(machine_type: str) -> WorkerPool:
    machine = machines()[machine_type]
    return WorkerPool(
        name="gpus",
        machine_type=machine_type,
        accelerator=str(machine.accelerator),
        gpus_per_node=machine.accelerator_count or 0,
    )


@pytest.mark.parametrize("name", [*BEFORE_HYPERDISK, "a3-highgpu-8g", "a3-megagpu-8g"])
def test_a_pool_that_exists_keeps_its_disk(name: str) -> None:
    assert boot_disk(SystemPool(machine_type=name)) == "pd-balanced"


@pytest.mark.parametrize("name", ["a3-ultragpu-8g", "a4-highgpu-8g", "g4-standard-48"])
def test_a_series_that_takes_no_other_boots_from_hyperdisk(name: str) -> None:
    assert boot_disk(worker_pool(name)) == "hyperdisk-balanced"


def test_of_a_type_that_the_catalog_does_not_know_it_is_what_it_was() -> None:
    assert boot_disk(SystemPool(machine_type="t2d-standard-4")) == "pd-balanced"


def test_each_pool_of_a_stack_has_its_own() -> None:
    pool = worker_pool("g4-standard-48").model_dump(exclude_none=True)
    stack = Stack.model_validate(minimal(worker_pools=[pool]))

    assert [spec.disk_type for spec in pool_specs(stack)] == [
        "pd-balanced",
        "pd-balanced",
        "hyperdisk-balanced",
    ]


def test_the_disk_is_paid_and_counted_as_what_it_is() -> None:
    pool = worker_pool("g4-standard-48")
    stack = Stack.model_validate(minimal(worker_pools=[pool.model_dump(exclude_none=True)]))
    line = next(each for each in estimate(stack).lines if each.item == "gpus")
    counted = {each.metric: each.amount for each in amounts(shape_of(pool), nodes=2)}
    hyperdisk = prices()["hyperdisk-balanced", "us-central1"].usd or 0

    assert line.usd_per_hour_each == pytest.approx(4.49993 + 200 * hyperdisk / 730)
    assert counted["HDB_TOTAL_GB"] == 400
    assert "SSD_TOTAL_GB" not in counted
