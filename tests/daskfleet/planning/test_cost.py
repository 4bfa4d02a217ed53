"""Unit tests: the estimate, against sums done by hand."""

from datetime import date

import pytest

from tests.daskfleet.planning.documents import Document, minimal, planned

# Prices of us-central1 in daskfleet/catalog/data/prices.csv.
A2_HIGHGPU_2G = 7.34677
N1_STANDARD_2 = 0.095
T4 = 0.35
E2_STANDARD_4 = 0.134023
FEE = 0.1
NAT_NODE = 0.0014
NAT_ADDRESS = 0.005
DISK_200_GB = 200 * 0.1 / 730
DISK_100_GB = DISK_200_GB / 2

SYSTEM = E2_STANDARD_4 + DISK_100_GB
SCHEDULERS = N1_STANDARD_2 + T4 + DISK_200_GB
WORKERS = A2_HIGHGPU_2G + DISK_200_GB


def test_a_fixed_fleet_costs_the_same_idle_and_full() -> None:
    cost = planned(minimal()).cost
    expected = FEE + 3 * NAT_NODE + NAT_ADDRESS + SYSTEM + SCHEDULERS + WORKERS
    assert cost.idle_usd_per_hour == pytest.approx(expected)
    assert cost.full_usd_per_hour == pytest.approx(expected)


def test_an_autoscaled_pool_costs_between_its_bounds() -> None:
    cost = planned(minimal(worker_pools=[{"autoscaling": {"min_nodes": 0, "max_nodes": 4}}])).cost
    base = FEE + 2 * NAT_NODE + NAT_ADDRESS + SYSTEM + SCHEDULERS
    assert cost.idle_usd_per_hour == pytest.approx(base)
    assert cost.full_usd_per_hour == pytest.approx(base + 4 * (WORKERS + NAT_NODE))


@pytest.mark.parametrize(("teams", "usd"), [(0, 0), (1, 0.025), (5, 0.025), (7, 0.045)])
def test_five_internal_load_balancers_have_one_price_together(teams: int, usd: float) -> None:
    access = {"internal_load_balancer": {"source_ranges": ["10.128.0.0/20"]}}
    names = [f"team-{number}" for number in range(8)]

    def with_access(count: int) -> float:
        entries = [
            {"name": name, "workers": 0, **({"access": access} if number < count else {})}
            for number, name in enumerate(names)
        ]
        pool = {"node_count": 8}
        return planned(minimal(teams=entries, scheduler_pool=pool)).cost.idle_usd_per_hour

    assert with_access(teams) - with_access(0) == pytest.approx(usd)


def test_nat_counts_at_most_32_nodes_and_an_address_for_each_1008() -> None:
    pool: Document = {
        "machine_type": "g2-standard-4",
        "accelerator": "nvidia-l4",
        "gpus_per_node": 1,
        "autoscaling": {"min_nodes": 30, "max_nodes": 1000},
    }
    pools = [{**pool, "name": "one"}, {**pool, "name": "two"}]
    document = minimal(worker_pools=pools, teams=[{"name": "alpha", "worker_pool": "one"}])
    document["network"] = {"nodes_cidr": "10.16.0.0/18", "pods_cidr": "10.128.0.0/12"}
    lines = {line.item: line for line in planned(document).cost.lines}
    assert (lines["cloud-nat"].idle, lines["cloud-nat"].full) == (32, 32)
    assert (lines["nat-address"].idle, lines["nat-address"].full) == (1, 2)


def test_a_fallback_says_what_it_may_add() -> None:
    teams = [{"name": "alpha", "scheduler": {"fallback": "worker-pool"}}]
    said = f"keep it: {WORKERS / 2:.2f} USD per hour"
    assert any(said in note for note in planned(minimal(teams=teams)).cost.notes)
    assert not any("fall back" in note for note in planned(minimal()).cost.notes)


def test_spot_capacity_has_its_own_price_and_a_note() -> None:
    cost = planned(minimal(worker_pools=[{"spot": True}])).cost
    line = next(line for line in cost.lines if line.item == "a100")
    assert line.usd_per_hour_each == pytest.approx(3.85604 + DISK_200_GB)
    assert "Spot prices change within weeks." in cost.notes


def test_a_region_s_own_price_counts_and_a_borrowed_one_is_said() -> None:
    cost = planned(
        minimal(
            location="europe-west4-a",
            worker_pools=[{"machine_type": "a2-highgpu-1g", "gpus_per_node": 1, "node_count": 2}],
        )
    ).cost
    line = next(line for line in cost.lines if line.item == "a100")
    assert line.usd_per_hour_each == pytest.approx(3.747972 + DISK_200_GB)
    assert (
        "No price for europe-west4 is known for pd-balanced: us-central1's was taken." in cost.notes
    )


def test_the_estimate_says_how_old_its_prices_are() -> None:
    cost = planned(minimal()).cost
    assert cost.priced_on == date(2026, 7, 30)
    assert (
        "The sources of these prices carry no date: cloud-nat-node, nat-address, nvidia-tesla-t4."
        in cost.notes
    )
