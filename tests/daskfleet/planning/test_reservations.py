"""Unit: what GKE is told of a reservation, what is another generation, and what cannot work."""

from typing import Any

import pytest

from daskfleet.planning.generations import generation_of
from daskfleet.planning.reservations import reserved
from tests.daskfleet.planning.documents import minimal, planned, refused
from tests.recorded_program import record

POOL = "gcp:container/nodePool:NodePool"
KEY = "compute.googleapis.com/reservation-name"
SPECIFIC = {"consumeReservationType": "SPECIFIC_RESERVATION", "key": KEY}


LENT = {"name": "kept", "project": "lender-project"}
TOLD: dict[str, tuple[object, dict[str, Any] | None]] = {
    "none-said": (None, None),
    "any": ("any", {"consumeReservationType": "ANY_RESERVATION"}),
    "none": ("none", {"consumeReservationType": "NO_RESERVATION"}),
    "own": ({"name": "kept"}, {**SPECIFIC, "values": ["kept"]}),
    "own-by-project": (
        {"name": "kept", "project": "example-project"},
        {**SPECIFIC, "values": ["kept"]},
    ),
    "lent": (LENT, {**SPECIFIC, "values": ["projects/lender-project/reservations/kept"]}),
}


def test_gke_is_told_what_is_written_as_google_spells_it(monkeypatch: pytest.MonkeyPatch) -> None:
    workers = [{"name": name, "reservation": each} for name, (each, _) in TOLD.items()]
    schedulers = {"reservation": {"name": "cheap"}}
    teams = [{"name": "alpha", "worker_pool": "any"}]
    document = minimal(worker_pools=workers, scheduler_pool=schedulers, teams=teams)
    pools = record(document, monkeypatch).of_type(POOL)

    assert {e.name: e.inputs["nodeConfig"].get("reservationAffinity") for e in pools} == {
        **{f"{name}-nodes": told for name, (_, told) in TOLD.items()},
        "scheduler-pool-nodes": {**SPECIFIC, "values": ["cheap"]},
        "system-nodes": None,
    }


def name(**pool: object) -> str:
    """What a pool that is replaced by surge is called in GKE."""
    stack = planned(minimal(worker_pools=[{"replacement": "surge", **pool}])).stack
    return generation_of(stack.worker_pools[0], stack).name


def test_another_reservation_is_another_generation_and_none_keeps_the_name() -> None:
    names = [
        name(),
        name(reservation="any"),
        name(reservation="none"),
        name(reservation={"name": "kept"}),
        name(reservation={"name": "kept", "project": "lender-project"}),
    ]

    assert len(set(names)) == len(names)
    assert names[0] == "a100-3c317e"
    assert name(reservation={"name": "kept", "project": "example-project"}) == names[3]
    assert name(reservation={"name": "kept", "machines": 4}) == names[3]


def test_a_surge_pool_says_that_its_reservation_needs_room_for_two() -> None:
    pool = {"replacement": "surge", "reservation": {"name": "kept"}}

    assert any("room for it beside" in w for w in planned(minimal(worker_pools=[pool])).warnings)
    in_place = {**pool, "replacement": "in-place"}
    assert not any("room for it" in w for w in planned(minimal(worker_pools=[in_place])).warnings)


def test_a_pool_in_several_zones_says_that_each_needs_a_reservation() -> None:
    def warnings(*zones: str) -> str:
        pool = {"reservation": {"name": "kept"}, "node_count": 2, "zones": list(zones)}
        return " ".join(planned(minimal(worker_pools=[pool])).warnings)

    several = warnings("us-central1-a", "us-central1-c")
    assert "each of us-central1-a, us-central1-c needs one of this name" in several
    assert "needs one of this name" not in warnings("us-central1-c")


@pytest.mark.parametrize("reservation", ["any", {"name": "kept"}])
def test_spot_machines_use_no_reservation(reservation: object) -> None:
    (problem,) = refused(
        minimal(worker_pools=[{"spot": True, "reservation": reservation}])
    ).problems

    assert problem.key == "worker_pools[0].reservation"
    assert problem.reason.startswith("Spot machines use no reservation")
    assert planned(minimal(worker_pools=[{"spot": True, "reservation": "none"}]))


def test_a_reservation_is_of_machines_of_one_kind() -> None:
    other: dict[str, Any] = {"name": "other", "machine_type": "a2-highgpu-1g", "gpus_per_node": 1}
    kept: dict[str, Any] = {"reservation": {"name": "kept"}}
    teams = [{"name": "alpha", "worker_pool": "a100"}]
    pools = [{**kept}, {**other, **kept}]
    (problem,) = refused(minimal(worker_pools=pools, teams=teams)).problems

    assert problem.key == "worker_pools[1].reservation"
    assert "a2-highgpu-1g with 1 nvidia-tesla-a100" in problem.reason
    lent = {"reservation": {"name": "kept", "project": "lender-project"}}
    assert planned(minimal(worker_pools=[{**kept}, {**other, **lent}], teams=teams))


def test_pools_that_outgrow_their_reservation_are_refused() -> None:
    kept: dict[str, Any] = {"reservation": {"name": "kept", "machines": 4}}
    pools = [{**kept, "node_count": 3}, {"name": "other", "node_count": 2, **kept}]
    teams = [{"name": "alpha", "worker_pool": "a100"}]
    (problem,) = refused(minimal(worker_pools=pools, teams=teams)).problems

    assert (problem.key, problem.value) == ("worker_pools[1].reservation.machines", "4")
    assert "a100, other" in problem.reason
    assert problem.allowed == "5 or more"
    pools[1]["reservation"] = {"name": "kept", "machines": 6}
    (differ,) = refused(minimal(worker_pools=pools, teams=teams)).problems
    assert (differ.value, differ.key) == ("4, 6", "worker_pools[1].reservation.machines")


@pytest.mark.parametrize(
    ("reservation", "key", "allowed"),
    [
        ("kept", "worker_pools[0].reservation", "any, none, or a mapping"),
        ({"name": "projects/p/reservations/r"}, "worker_pools[0].reservation.name", "at most 63"),
        ({"project": "lender-project"}, "worker_pools[0].reservation.name", "a value"),
        ({"name": "kept", "zone": "a"}, "worker_pools[0].reservation.zone", "name, project"),
    ],
)
def test_what_is_no_reservation_is_refused_with_what_is(
    reservation: object, key: str, allowed: str
) -> None:
    (problem,) = refused(minimal(worker_pools=[{"reservation": reservation}])).problems

    assert problem.key == key
    assert problem.allowed.startswith(allowed)


def test_schedulers_on_flex_start_are_refused_with_the_reason_of_schedulers() -> None:
    (schedulers,) = refused(minimal(scheduler_pool={"flex_start": True})).problems
    (workers,) = refused(minimal(worker_pools=[{"queued_provisioning": True}])).problems

    assert "schedulers hold their clusters' state" in schedulers.reason
    assert "does not agree" in workers.reason


def test_two_reservations_of_one_name_in_two_zones_are_two() -> None:
    """Google keeps a reservation's machines in one zone, and its name belongs to that zone."""
    workers = [
        {
            "name": "near",
            "zones": ["us-central1-c"],
            "node_count": 2,
            "reservation": {"name": "kept", "machines": 2},
        },
        {
            "name": "far",
            "zones": ["us-central1-f"],
            "machine_type": "a2-highgpu-1g",
            "gpus_per_node": 1,
            "node_count": 3,
            "reservation": {"name": "kept", "machines": 3},
        },
    ]
    plan = planned(minimal(worker_pools=workers, teams=[{"name": "alpha", "worker_pool": "near"}]))

    assert [(e.title, e.machines, e.most_nodes) for e in reserved(plan.stack)] == [
        ("kept in us-central1-c", 2, 2),
        ("kept in us-central1-f", 3, 3),
    ]
    items = [line.item for line in plan.cost.lines if line.item.startswith("reservation")]
    assert len({*items}) == len(items) == 2


def test_pools_that_have_a_zone_in_common_share_the_reservation_of_that_zone() -> None:
    kept = {"name": "kept", "machines": 4}
    workers = [
        {"name": "near", "zones": ["us-central1-c"], "reservation": kept},
        {"name": "far", "zones": ["us-central1-f"], "reservation": kept},
        {"name": "both", "zones": ["us-central1-c", "us-central1-f"], "reservation": kept},
    ]
    pools = [{**pool, "autoscaling": {"min_nodes": 0, "max_nodes": 1}} for pool in workers]
    plan = planned(minimal(worker_pools=pools, teams=[{"name": "alpha", "worker_pool": "near"}]))

    (shared,) = reserved(plan.stack)
    assert (shared.title, {pool.name for _, pool in shared.pools}) == (
        "kept",
        {"near", "far", "both"},
    )
