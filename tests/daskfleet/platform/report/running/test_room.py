"""Unit: what room there is for a team more."""

from daskfleet.platform.doctor.model import Outcome
from daskfleet.platform.doctor.model import Report as DoctorReport
from daskfleet.platform.report.running.model import RoomRow, SourceName
from tests.daskfleet.platform.report.running.fleets import WRONG, node, reading, unread, view

SYSTEM = node("sys-1", "system-g1")
ENOUGH = WRONG.model_copy(
    update={"outcome": Outcome.OK, "there": "limit 16, used 4, 4 of it by this stack"}
)


def room(*nodes: object, **changes: object) -> RoomRow:
    read = {"nodes": reading(SourceName.NODES, (*nodes, SYSTEM))} if nodes else {}
    (only,) = view(**read, **changes).room
    return only


def test_places_that_no_pod_holds_are_free_and_missing_nodes_may_be_added() -> None:
    # Two GPUs on the node, one for each team's worker; a second node may come.
    full = room()
    assert (full.accelerator, full.free_shares, full.more_gpus) == ("nvidia-tesla-a100", 0, 2)
    more = room(node("gke-a100-1"), node("gke-a100-2"))
    assert (more.free_shares, more.more_gpus) == (2, 0)


def test_a_node_that_takes_no_pod_has_no_free_place() -> None:
    cordoned = node("gke-a100-2", spec={"unschedulable": True})
    sick = node("gke-a100-2")
    sick["status"]["conditions"] = [{"type": "Ready", "status": "False"}]
    assert room(node("gke-a100-1"), cordoned).free_shares == 0
    assert room(node("gke-a100-1"), sick).free_shares == 0


def test_quota_is_told_as_the_doctor_found_it() -> None:
    found = DoctorReport(stack="prod", findings=(ENOUGH,))
    assert room(doctor=reading(SourceName.DOCTOR, found)).quota == (
        "NVIDIA_A100_GPUS in us-central1: limit 16, used 4, 4 of it by this stack",
    )
    assert room().quota == ()


def test_what_could_not_be_read_is_no_zero() -> None:
    (without_nodes,) = view(**unread("nodes")).room
    assert (without_nodes.free_shares, without_nodes.more_gpus) == (None, None)
    (without_pods,) = view(**unread("teams")).room
    assert (without_pods.free_shares, without_pods.more_gpus) == (None, 2)
