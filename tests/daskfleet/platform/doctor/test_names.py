"""The names and permissions that are looked at are those of what the program makes."""

from typing import Any

import pytest

from daskfleet.platform.doctor.buckets import PERMISSIONS, listed_buckets
from daskfleet.platform.doctor.names import named_resources
from daskfleet.platform.doctor.permissions import needed_permissions
from daskfleet.platform.doctor.services import NEEDED, needed_services
from daskfleet.platform.recovery.resource_ids import resource_id
from daskfleet.settings.stack import Stack
from tests.recorded_program import record
from tests.setting_changes import BASE

NAMED = (
    "gcp:compute/network:Network",
    "gcp:compute/subnetwork:Subnetwork",
    "gcp:compute/router:Router",
    "gcp:serviceaccount/account:Account",
    "gcp:container/cluster:Cluster",
)
MADE_WITH = {
    "compute": "compute.networks.create",
    "container": "container.clusters.create",
    "projects": "resourcemanager.projects.setIamPolicy",
    "serviceaccount": "iam.serviceAccounts.create",
}
"""A permission without which nothing of a module of the provider can be made."""

MADE_ON_A_BUCKET = {"storage": "storage.buckets.setIamPolicy"}
"""The same, where it is asked of each bucket, which may be another project's."""

NO_BUCKETS: dict[str, Any] = {
    **BASE,
    "teams": [{**team, "buckets": []} for team in BASE["teams"]],
}


def test_each_name_that_the_program_gives_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    stack = Stack.model_validate(BASE)
    program = record(BASE, monkeypatch)
    made = {
        resource_id(kind, each.inputs, project=stack.project)
        for kind in NAMED
        for each in program.of_type(kind)
    }
    assert {named.state_id for named in named_resources(stack)} == made


def test_each_kind_of_google_resource_has_its_permission_and_api(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stack, program = Stack.model_validate(BASE), record(BASE, monkeypatch)
    types = {each.type for each in program.registrations}
    modules = {kind.split(":")[1].partition("/")[0] for kind in types if kind.startswith("gcp:")}
    assert modules == MADE_WITH.keys() | MADE_ON_A_BUCKET.keys()
    assert set(MADE_WITH.values()) <= needed_permissions(stack).keys()
    assert set(MADE_ON_A_BUCKET.values()) <= set(PERMISSIONS)
    grants = program.of_type("gcp:storage/bucketIAMMember:BucketIAMMember")
    assert {each.inputs["bucket"] for each in grants} == listed_buckets(stack).keys()
    assert {name.partition(".")[0] for name in NEEDED} == {
        "compute",
        "container",
        "iam",
        "cloudresourcemanager",
    }


def test_only_a_stack_that_streams_images_needs_their_api() -> None:
    plain = {key: value for key, value in NO_BUCKETS.items() if key != "monitoring"}
    streaming = Stack.model_validate({**plain, "scheduler_pool": {"image_streaming": True}})
    assert needed_services(Stack.model_validate(plain)) == NEEDED
    assert needed_services(streaming) == (*NEEDED, "containerfilesystem.googleapis.com")


def test_only_a_stack_that_is_measured_needs_the_api_of_metrics() -> None:
    measured = Stack.model_validate({**NO_BUCKETS, "monitoring": {}})
    unmeasured = Stack.model_validate({**NO_BUCKETS, "monitoring": {"prometheus": "none"}})
    assert needed_services(measured) == (*NEEDED, "monitoring.googleapis.com")
    assert needed_services(unmeasured) == NEEDED


def test_only_a_stack_whose_teams_have_buckets_needs_the_api_of_storage() -> None:
    unmeasured = {"monitoring": {"prometheus": "none"}}
    with_buckets = Stack.model_validate({**BASE, **unmeasured})
    assert needed_services(with_buckets) == (*NEEDED, "storage.googleapis.com")
    assert needed_services(Stack.model_validate({**NO_BUCKETS, **unmeasured})) == NEEDED


@pytest.mark.parametrize(
    ("setting", "added"),
    [(True, ("binaryauthorization.googleapis.com",)), (False, ()), (None, ())],
)
def test_only_a_cluster_that_asks_binary_authorization_needs_its_api(
    *, setting: bool | None, added: tuple[str, ...]
) -> None:
    plain = {"project": "p-of-a-test", "teams": [{"name": "fraud", "workers": 2}]}
    stack = Stack.model_validate({**plain, "cluster": {"binary_authorization": setting}})
    assert needed_services(stack) == (*NEEDED, *added)
