"""What can be wrong with a reservation that a pool names. On the emulator."""

from typing import Any

import pytest

from daskfleet.platform.doctor.model import Area, Outcome
from daskfleet.platform.doctor.reservations import QUOTA_NOTE
from tests.daskfleet.platform.doctor.examined import PROJECT, Machine

ZONE = "zones/us-central1-c"
A100 = {"machineType": "a2-highgpu-2g"}
T4 = {"acceleratorType": "nvidia-tesla-t4", "acceleratorCount": 1}


def named(well: Machine, *, project: str | None = None, **pool: Any) -> None:
    """Let the workers' pool name a reservation."""
    of = {"project": project} if project else {}
    well.settings(worker_pools=[{"node_count": 2, "reservation": {"name": "kept", **of}, **pool}])


def kept(well: Machine, *, project: str = PROJECT, zone: str = ZONE, **changes: Any) -> None:
    """Make the reservation in Google Cloud."""
    sku = {"count": "2", "instanceProperties": A100, **changes.pop("sku", {})}
    body = {
        "name": "kept",
        "specificReservation": sku,
        "specificReservationRequired": True,
        **changes,
    }
    well.google("POST", f"compute/beta/projects/{project}/{zone}/reservations", body)


def test_a_reservation_with_room_for_such_machines_is_said_to_be_well(well: Machine) -> None:
    named(well)
    kept(well)
    assert well.found() == []
    assert QUOTA_NOTE in well.examined().notes
    (fine,) = (f for f in well.found(Outcome.OK) if f.subject.startswith("reservation"))
    assert (fine.needed, fine.there) == ("2 machines (pool a100)", "2 machines, 0 in use")


def test_without_reservations_none_is_asked_for(well: Machine) -> None:
    assert QUOTA_NOTE not in well.examined().notes
    methods = {entry.api_method for entry in well.emulator.log.read()}
    assert "compute.reservations.get" not in methods


def test_a_reservation_that_is_not_there_is_named_with_the_command_that_makes_it(
    well: Machine,
) -> None:
    named(well)
    finding = well.only()
    assert (finding.area, finding.outcome) == (Area.ZONE, Outcome.WRONG)
    assert finding.subject == "reservation kept in us-central1-c"
    assert finding.there.startswith(
        f"no reservation of this name in us-central1-c of project {PROJECT}"
    )
    assert finding.command == (
        f"gcloud compute reservations create kept --project={PROJECT} --zone=us-central1-c "
        "--machine-type=a2-highgpu-2g --vm-count=2 --require-specific-reservation"
    )


def test_a_pool_in_another_zone_has_its_reservation_there(well: Machine) -> None:
    named(well, zones=["us-central1-f"])
    kept(well)
    finding = well.only()
    assert finding.subject == "reservation kept in us-central1-f"
    assert "--zone=us-central1-f" in finding.command
    kept(well, zone="zones/us-central1-f")
    assert well.found() == []


def test_a_pool_in_several_zones_has_one_in_each_for_its_part(well: Machine) -> None:
    named(well, node_count=4, zones=["us-central1-c", "us-central1-f"])
    kept(well)
    finding = well.only()
    assert finding.subject == "reservation kept in us-central1-f"
    assert "--vm-count=2 " in finding.command
    kept(well, zone="zones/us-central1-f", sku={"count": "1"})
    short = well.only()
    assert (short.subject, short.fix.partition(".")[0]) == (finding.subject, "It lacks 1")


@pytest.mark.parametrize(
    ("properties", "there"),
    [
        ({"machineType": "a2-highgpu-1g"}, "machines a2-highgpu-1g"),
        ({**A100, "guestAccelerators": [T4]}, "machines a2-highgpu-2g with 1 nvidia-tesla-t4"),
        (
            {**A100, "minCpuPlatform": "Intel Ice Lake"},
            "machines a2-highgpu-2g with 2 nvidia-tesla-a100, minimum CPU platform Intel Ice Lake",
        ),
    ],
)
def test_machines_of_another_kind_are_named(
    well: Machine, properties: dict[str, Any], there: str
) -> None:
    named(well)
    kept(well, sku={"instanceProperties": properties})
    finding = well.only()
    assert finding.outcome is Outcome.WRONG
    assert finding.needed == "machines a2-highgpu-2g with 2 nvidia-tesla-a100 (pool a100)"
    assert finding.there.startswith(there)


def test_too_few_machines_are_told_with_what_is_missing(well: Machine) -> None:
    named(well, node_count=3)
    kept(well)
    finding = well.only()
    assert (finding.outcome, finding.fix.partition(".")[0]) == (Outcome.WRONG, "It lacks 1")
    assert finding.command.endswith("--vm-count=3")


def test_room_for_now_but_not_for_the_largest_size_is_a_warning(well: Machine) -> None:
    bounds = {"min_nodes": 1, "max_nodes": 4}
    named(well, node_count=None, autoscaling=bounds)
    kept(well)
    finding = well.only()
    assert finding.outcome is Outcome.WARNING
    assert "4 are needed: 2 more" in finding.fix


def test_another_projects_reservation_has_to_be_shared_with_this_one(well: Machine) -> None:
    named(well, project="lender-project")
    kept(well, project="lender-project")
    finding = well.only()
    assert (finding.outcome, finding.there) == (Outcome.WRONG, "shared with no project")
    assert finding.command.endswith(f"--add-share-with={PROJECT}")


def test_a_reservation_that_is_shared_with_this_project_is_well(well: Machine) -> None:
    named(well, project="lender-project")
    shared = {"shareType": "SPECIFIC_PROJECTS", "projectMap": {PROJECT: {"projectId": PROJECT}}}
    kept(well, project="lender-project", shareSettings=shared)
    assert well.found() == []


def test_one_that_everybody_takes_from_and_one_of_another_size_are_warnings(well: Machine) -> None:
    named(well, reservation={"name": "kept", "machines": 5})
    kept(well, specificReservationRequired=False)
    size, taken = well.found()
    assert (size.outcome, taken.outcome) == (Outcome.WARNING, Outcome.WARNING)
    assert (size.needed.split(",")[0], size.there) == ("2 machines", "the stack file says 5")
    assert taken.there.startswith("any machine of this kind may take its room")


def test_one_that_nobody_may_look_at_is_not_said_to_be_well(well: Machine) -> None:
    named(well)
    kept(well)
    path = "/reservations/kept$"
    well.fail({"kind": "error", "path": path, "code": 403, "message": "no reservations.get"})
    finding = well.only()
    assert (finding.outcome, finding.subject) == (
        Outcome.NOT_LOOKED_AT,
        "reservation kept in us-central1-c",
    )
