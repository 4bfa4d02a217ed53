"""Unit: what a change takes of a reservation, and what it gives back."""

from typing import Any

from daskfleet.platform.review.engine_step import EngineStep
from daskfleet.platform.review.reserved_nodes import reservation_warnings
from daskfleet.platform.review.steps import StepTable
from tests.daskfleet.platform.review.engine_steps import NAMESPACE, engine_step

LENT = "projects/lender-project/reservations/kept"


def pool(nodes: int, reservation: str = "kept", **inputs: Any) -> dict[str, Any]:
    affinity = {
        "consumeReservationType": "SPECIFIC_RESERVATION",
        "key": "compute.googleapis.com/reservation-name",
        "values": [reservation],
    }
    return {"nodeConfig": {"reservationAffinity": affinity}, "nodeCount": nodes, **inputs}


def told(*steps: EngineStep) -> list[str]:
    table = StepTable()
    for step in steps:
        table.take(step)
    return list(reservation_warnings(table.steps()))


def test_a_pool_that_comes_or_grows_takes_machines() -> None:
    (new,) = told(engine_step("create", new=pool(3)))
    assert new.startswith("The change takes up to 3 more machines of reservation kept")
    (more,) = told(engine_step("update", old=pool(1), new=pool(3)))
    assert "up to 2 more machines" in more
    largest = pool(0, autoscaling={"minNodeCount": 0, "maxNodeCount": 5})
    (auto,) = told(engine_step("create", new={**largest, "nodeCount": None}))
    assert "up to 5 more machines" in auto


def test_the_nodes_of_all_zones_are_counted() -> None:
    two = ["us-central1-a", "us-central1-c"]
    (new,) = told(engine_step("create", new=pool(3, nodeLocations=two)))
    assert "up to 6 more machines" in new
    # Shared out anew, and as many as before.
    one = pool(4, nodeLocations=two[:1])
    assert told(engine_step("update", old=one, new=pool(2, nodeLocations=two))) == []
    total = {"totalMinNodeCount": 0, "totalMaxNodeCount": 5}
    auto = {**pool(0, nodeLocations=two, autoscaling=total), "nodeCount": None}
    (scaled,) = told(engine_step("create", new=auto))
    assert "up to 5 more machines" in scaled


def test_a_pool_that_goes_or_shrinks_gives_them_back_and_they_are_paid_on() -> None:
    (gone,) = told(engine_step("delete", old=pool(3)))
    assert gone.startswith("The change gives up to 3 machines of reservation kept back")
    assert gone.endswith("They are paid for until the reservation is made smaller.")
    (fewer,) = told(engine_step("update", old=pool(3), new=pool(1)))
    assert "up to 2 machines" in fewer


def test_from_one_reservation_to_another_both_are_told() -> None:
    parts = ("delete-replaced", "replace", "create-replacement")
    taken, given = told(*(engine_step(o, old=pool(2, LENT), new=pool(2)) for o in parts))[::-1]
    assert "takes up to 2 more machines of reservation kept (" in taken
    assert f"gives up to 2 machines of reservation {LENT} back (" in given


def test_a_replacement_in_place_of_the_same_size_takes_and_gives_nothing() -> None:
    parts = ("delete-replaced", "replace", "create-replacement")
    assert told(*(engine_step(o, old=pool(2), new=pool(2)) for o in parts)) == []


def test_two_generations_at_once_need_room_for_both() -> None:
    # Both have the stack as their parent here, and so the same pool.
    (both,) = told(
        engine_step("create", name="a100-1-nodes", new=pool(2)),
        engine_step("delete", name="a100-2-nodes", old=pool(2)),
    )
    assert "has to have up to 2 machines more than before" in both


def test_what_names_no_reservation_is_not_spoken_of() -> None:
    plain = {"nodeCount": 2, "nodeConfig": {}}
    assert (
        told(
            engine_step("create", new=plain),
            engine_step("update", name="b", old=plain, new={**plain, "nodeCount": 3}),
            engine_step("create", kind=NAMESPACE, name="c", new=pool(1)),
        )
        == []
    )
