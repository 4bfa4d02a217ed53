"""Unit tests: what committed use takes off, and off what."""

from typing import Any

import pytest

from daskfleet.planning.cost_lines import Cost
from tests.daskfleet.planning.documents import minimal, planned

# daskfleet/catalog/data/prices.csv and commitments.csv.
A2_HIGHGPU_2G, A2_1_YEAR, A2_3_YEARS = 7.34677, 0.37, 0.65
N1_STANDARD_2, N1_1_YEAR = 0.095, 0.37
T4, T4_1_YEAR = 0.35, 0.3714


def cost_of(*, percent: float | None, years: int = 1, **changes: Any) -> Cost:
    use = {"committed_use": {"percent": percent, "years": years}} if percent else {}
    return planned(minimal(**use, **changes)).cost


def saved_on(pool: str, cost: Cost) -> float:
    return -float(
        sum(line.usd_per_hour_idle for line in cost.lines if line.item == f"{pool}: committed use")
    )


def test_it_takes_googles_discount_off_that_part_of_a_machine_with_its_gpus() -> None:
    cost = cost_of(percent=60)
    assert saved_on("a100", cost) == pytest.approx(A2_HIGHGPU_2G * A2_1_YEAR * 0.6)
    assert saved_on("a100", cost_of(percent=60, years=3)) == pytest.approx(
        A2_HIGHGPU_2G * A2_3_YEARS * 0.6
    )


def test_an_attached_gpu_has_a_discount_of_its_own() -> None:
    expected = (N1_STANDARD_2 * N1_1_YEAR + T4 * T4_1_YEAR) * 0.5
    assert saved_on("scheduler-pool", cost_of(percent=50)) == pytest.approx(expected)


def test_disks_and_services_cost_the_same() -> None:
    with_use, without = cost_of(percent=100), cost_of(percent=None)
    assert [line for line in with_use.lines if "committed" not in line.item] == list(without.lines)


def test_spot_capacity_is_never_committed() -> None:
    cost = cost_of(percent=100, worker_pools=[{"spot": True}])
    assert saved_on("a100", cost) == 0
    assert saved_on("scheduler-pool", cost) > 0


def test_only_nodes_that_are_always_there_are_covered() -> None:
    pools = [{"autoscaling": {"min_nodes": 1, "max_nodes": 4}}]
    with_use = cost_of(percent=100, worker_pools=pools)
    without = cost_of(percent=None, worker_pools=pools)
    saved = sum(saved_on(pool, with_use) for pool in ("system", "scheduler-pool", "a100"))
    assert saved_on("a100", with_use) == pytest.approx(A2_HIGHGPU_2G * A2_1_YEAR)
    assert without.idle_usd_per_hour - with_use.idle_usd_per_hour == pytest.approx(saved)
    assert without.full_usd_per_hour - with_use.full_usd_per_hour == pytest.approx(saved)


def test_a_machine_without_a_known_discount_is_said_and_not_guessed() -> None:
    pool = {
        "machine_type": "a2-ultragpu-1g",
        "accelerator": "nvidia-a100-80gb",
        "gpus_per_node": 1,
        "node_count": 2,
    }
    cost = cost_of(percent=60, worker_pools=[pool])
    assert saved_on("a100", cost) == 0
    assert "No committed-use discount is known for a2-ultragpu: counted without." in cost.notes


def test_the_notes_say_what_is_taken_off() -> None:
    assert (
        cost_of(percent=60, years=3)
        .notes[0]
        .startswith("List prices, less committed use of 60 % for 3 years on nodes on demand")
    )
    assert "no sustained-use, committed-use" in cost_of(percent=None).notes[0]
