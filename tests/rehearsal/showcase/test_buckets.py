"""A team's buckets: what their policies say while the team lists them, and afterwards."""

import httpx

from daskfleet.planning.buckets import ROLES
from daskfleet.platform.doctor.buckets import PERMISSIONS
from tests.rehearsal.end_to_end.kubectl import kubectl
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal, team, work
from tests.tiers.long_files import LONG

pytestmark = LONG

DATA, SHARED = "chemistry-data", "shared-reference"
POD = (
    "principal://iam.googleapis.com/projects/102209141732/locations/global/workloadIdentityPools/"
    "rehearsal-project.svc.id.goog/subject/ns/{team}/sa/dask"
)
CHEMISTRY = POD.format(team="chemistry")


def asked(showcase: RunningRehearsal, path: str) -> httpx.Response:
    return httpx.get(f"{showcase.base_url}/storage/v1/b/{path}").raise_for_status()


def pods_in(showcase: RunningRehearsal, bucket: str) -> dict[str, list[str]]:
    """Who of the fleet's pods is in a bucket's policy, by role."""
    bindings = asked(showcase, f"{bucket}/iam").json()["bindings"]
    return {
        each["role"]: [member for member in each["members"] if member.startswith("principal:")]
        for each in bindings
        if not each["role"].startswith("roles/storage.legacy")
    }


def test_the_policies_name_the_teams_pods_with_what_was_asked_and_nobody_else(
    showcase: RunningRehearsal,
) -> None:
    assert pods_in(showcase, DATA) == {ROLES["write"]: [CHEMISTRY]}
    assert pods_in(showcase, SHARED) == {ROLES["read"]: [CHEMISTRY]}
    # What every bucket has of old is there still.
    bindings = asked(showcase, f"{DATA}/iam").json()["bindings"]
    assert "roles/storage.legacyBucketOwner" in {each["role"] for each in bindings}


def test_the_identity_is_that_of_the_pods_that_run(showcase: RunningRehearsal) -> None:
    path = "jsonpath={.items[*].spec.serviceAccountName}"
    dask = ("--selector", "dask.org/component in (scheduler,worker)")
    accounts = kubectl(showcase, "get", "pods", "--namespace", "chemistry", *dask, "--output", path)

    assert accounts.split() == ["dask", "dask"]


def test_a_bucket_that_is_listed_no_more_is_taken_back_and_another_team_gets_its_own(
    showcase: RunningRehearsal,
) -> None:
    changed = showcase.settings()
    team(changed, "chemistry")["buckets"] = [{"name": SHARED}]
    team(changed, "biology")["buckets"] = [{"name": SHARED, "access": "write"}]

    outcome = showcase.up(changed)

    assert work(outcome) == {"create": 2, "delete": 1}  # a component and its grant
    assert pods_in(showcase, DATA) == {}
    assert pods_in(showcase, SHARED) == {
        ROLES["read"]: [CHEMISTRY],
        ROLES["write"]: [POD.format(team="biology")],
    }
    showcase.up()
    assert pods_in(showcase, SHARED) == {ROLES["read"]: [CHEMISTRY]}


def test_whoever_may_change_the_policies_is_told_so(showcase: RunningRehearsal) -> None:
    query = "&".join(f"permissions={permission}" for permission in PERMISSIONS)
    answer = asked(showcase, f"{DATA}/iam/testPermissions?{query}")

    assert answer.json()["permissions"] == list(PERMISSIONS)
