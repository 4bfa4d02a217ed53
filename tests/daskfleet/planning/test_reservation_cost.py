"""Unit: a reservation is paid for whether nodes use it or not."""

from typing import Any

import pytest

from daskfleet.planning.budget import BudgetState, budget_of
from daskfleet.planning.cost_lines import Cost
from daskfleet.planning.cost_shares import monthly_shares
from daskfleet.planning.sleep_cost import Floor, floor_of
from daskfleet.planning.tariff import Tariff
from tests.daskfleet.planning.documents import minimal, planned

KEPT = {"name": "kept", "machines": 4}
ONE_GPU = {"machine_type": "a2-highgpu-1g", "gpus_per_node": 1}


def costing(*, reservation: object = KEPT, **pool: Any) -> Cost:
    """The cost of a fleet whose workers are on a reservation."""
    workers = [{**ONE_GPU, "reservation": reservation, **pool}]
    teams = [{"name": "alpha", "workers": 1}]
    return planned(minimal(worker_pools=workers, teams=teams)).cost


def machine() -> float:
    """One hour of a machine of the reservation."""
    price = Tariff(planned(minimal()).stack).usd_per_hour("a2-highgpu-1g")
    assert price
    return price


def test_a_smaller_pool_saves_its_disks_and_nothing_else() -> None:
    small, large = costing(node_count=1), costing(node_count=4)

    saved = large.full_usd_per_hour - small.full_usd_per_hour
    # Three disks, and three nodes that Cloud NAT counts no more.
    assert saved == pytest.approx(3 * (200 * 0.10 / 730 + 0.0014), abs=1e-3)
    assert saved < machine() / 10


def test_an_idle_pool_pays_for_all_that_is_reserved() -> None:
    idle = costing(autoscaling={"min_nodes": 0, "max_nodes": 3})
    (line,) = (line for line in idle.lines if line.item.startswith("reservation kept"))

    assert (line.idle, line.full) == (4, 1)
    assert line.usd_per_hour_each == pytest.approx(machine())
    assert idle.idle_usd_per_hour > 4 * machine()
    assert not idle.idle_is_at_least


def test_without_its_size_a_sum_is_at_least() -> None:
    cost = costing(reservation={"name": "kept"}, autoscaling={"min_nodes": 0, "max_nodes": 3})

    assert cost.idle_is_at_least
    assert cost.full_is_at_least
    assert cost.unpriced == ("further machines of reservation kept (set its machines)",)
    assert cost.idle_usd_per_hour > 3 * machine()
    assert any("reservation.machines does not say" in note for note in cost.notes)


def test_a_budget_is_not_known_to_be_kept_without_the_size_of_a_reservation() -> None:
    known, unknown = (
        budget_of(costing(reservation=each, node_count=2), 1_000_000).state
        for each in (KEPT, {"name": "kept"})
    )

    assert (known, unknown) == (BudgetState.WITHIN, BudgetState.UNKNOWN)


def test_another_projects_reservation_is_paid_as_far_as_it_is_used() -> None:
    lent = costing(reservation={**KEPT, "project": "lender-project"}, node_count=2)
    plain = costing(reservation=None, node_count=2)

    assert lent.full_usd_per_hour == plain.full_usd_per_hour
    assert any("is that project's to pay" in note for note in lent.notes)


def test_any_reservation_is_said_to_be_counted_nowhere() -> None:
    assert any("none of them is counted" in note for note in costing(reservation="any").notes)
    assert not any("eservation" in note for note in costing(reservation="none").notes)


@pytest.mark.parametrize(
    "size", [{"node_count": 2}, {"autoscaling": {"min_nodes": 0, "max_nodes": 3}}]
)
def test_the_shares_of_all_add_up_to_the_cost(size: dict[str, Any]) -> None:
    for teams in ([{"name": "alpha", "workers": 1}], [{"name": "alpha", "workers": 0}]):
        workers = [{**ONE_GPU, "reservation": KEPT, **size}]
        cost = planned(minimal(worker_pools=workers, teams=teams)).cost
        shares = monthly_shares(cost)

        for side in ("idle", "full"):
            cents = sum(getattr(share, f"{side}_cents") for share in shares)
            assert cents == round(getattr(cost, f"{side}_usd_per_hour") * 730 * 100)


def test_a_commitment_covers_what_is_reserved_whether_it_is_used_or_not() -> None:
    used = {"committed_use": {"percent": 100, "years": 1}}
    workers = [{**ONE_GPU, "reservation": KEPT, "autoscaling": {"min_nodes": 1, "max_nodes": 3}}]
    lines = planned(minimal(worker_pools=workers, **used)).cost.lines

    (saved,) = (line for line in lines if "kept: committed use" in line.item)
    assert (saved.idle, saved.full) == (4, 4)
    assert not [line for line in lines if line.item == "a100: committed use"]


def saved(floor: Floor | None) -> float:
    """What sleeping workers save in a month."""
    assert floor
    assert floor.without_sleep is not None
    assert floor.with_sleep is not None
    return floor.without_sleep - floor.with_sleep


def asleep(**pool: Any) -> Floor | None:
    """The floor of a fleet whose three workers sleep, on a pool that goes with them."""
    team = {"name": "alpha", "workers": 3, "idle": {"workers_after_min": 30}}
    workers = {**ONE_GPU, "autoscaling": {"min_nodes": 0, "max_nodes": 3}, **pool}
    return floor_of(planned(minimal(worker_pools=[workers], teams=[team])))


def test_workers_that_sleep_save_no_machine_of_a_reservation() -> None:
    assert saved(asleep(reservation=KEPT)) == pytest.approx(3 * 200 * 0.10)
    assert saved(asleep()) > 3 * machine() * 730
