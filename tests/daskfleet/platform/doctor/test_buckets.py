"""What can be wrong with buckets that teams list. On the emulator."""

from daskfleet.platform.doctor.model import Area, Outcome
from rehearsal.emulator.world import Project
from tests.daskfleet.platform.doctor.examined import PROJECT, Machine

NUMBER = int(Project(name=PROJECT).number)
BUCKETS = [{"name": "fraud-data", "access": "write"}, {"name": "shared"}]


def listed(well: Machine, number: int = NUMBER) -> None:
    """Let the team have two buckets."""
    team = {"name": "fraud", "workers": 2, "buckets": BUCKETS}
    well.settings(project_number=number, teams=[team])


def test_buckets_that_can_be_granted_are_said_to_be_well(well: Machine) -> None:
    listed(well)
    assert well.found() == []
    subjects = {finding.subject for finding in well.found(Outcome.OK)}
    assert {"project_number", "bucket fraud-data", "bucket shared"} <= subjects


def test_without_buckets_none_is_asked_for(well: Machine) -> None:
    well.examined()
    assert [e for e in well.emulator.log.read() if e.api_method.startswith("storage.")] == []


def test_another_projects_number_is_named_with_the_right_one(well: Machine) -> None:
    listed(well, number=1)
    finding = well.only()
    assert (finding.area, finding.outcome) == (Area.STACK_FILE, Outcome.WRONG)
    assert finding.fix == f"Set daskfleet:project_number to {NUMBER}."


def test_a_bucket_that_is_not_there_hides_no_other(well: Machine) -> None:
    listed(well)
    well.restrict(missing_buckets=["shared"])
    finding = well.only()
    assert (finding.subject, finding.outcome) == ("bucket shared", Outcome.WRONG)
    assert finding.command == "gcloud storage buckets describe gs://shared"


def test_a_policy_that_one_may_not_change_is_named_with_the_command(well: Machine) -> None:
    listed(well)
    well.restrict(denied_permissions=["storage.buckets.setIamPolicy"])
    first, second = well.found()
    assert (first.subject, second.subject) == ("bucket fraud-data", "bucket shared")
    assert first.needed == "storage.buckets.setIamPolicy"
    assert first.command == (
        "gcloud storage buckets add-iam-policy-binding gs://fraud-data "
        "--member=user:YOU@EXAMPLE.COM --role=roles/storage.admin"
    )


def test_writing_needs_uniform_access_and_reading_does_not(well: Machine) -> None:
    listed(well)
    well.restrict(buckets_with_acls=["fraud-data", "shared"])
    finding = well.only()
    assert (finding.subject, finding.outcome) == (
        "access control of bucket fraud-data",
        Outcome.WARNING,
    )
    assert "--uniform-bucket-level-access" in finding.command


def test_settings_that_one_may_not_read_are_no_mistake(well: Machine) -> None:
    listed(well)
    path = "/storage/v1/b/shared$"
    well.fail({"kind": "error", "path": path, "code": 403, "message": "no storage.buckets.get"})
    assert well.found() == []
