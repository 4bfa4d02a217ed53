"""IDs worked out from inputs; unit tier. The fault catalogue shows that they are the providers'."""

import pytest

from daskfleet.platform.recovery.resource_ids import resource_id

UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
POOL = "gcp:container/nodePool:NodePool"
PLACED = {"name": "a100", "cluster": "rapids-gpu", "location": "us-central1-c"}


@pytest.mark.parametrize(
    ("kind", "inputs", "expected"),
    [
        (
            POOL,
            PLACED,
            "projects/acme/locations/us-central1-c/clusters/rapids-gpu/nodePools/a100",
        ),
        ("gcp:compute/network:Network", {"name": "vpc"}, "projects/acme/global/networks/vpc"),
        (
            "gcp:serviceaccount/account:Account",
            {"accountId": "nodes"},
            "projects/acme/serviceAccounts/nodes@acme.iam.gserviceaccount.com",
        ),
        ("kubernetes:core/v1:Namespace", {"metadata": {"name": "fraud"}}, "fraud"),
        (
            "kubernetes:kubernetes.dask.org/v1:DaskCluster",
            {"metadata": {"name": "fraud", "namespace": "team"}},
            "team/fraud",
        ),
        ("kubernetes:helm.sh/v3:Release", {"name": "dask", "namespace": "ops"}, "ops/dask"),
    ],
)
def test_an_id_follows_from_inputs(kind: str, inputs: dict[str, object], expected: str) -> None:
    assert resource_id(kind, inputs, project="acme") == expected


def test_a_resource_may_name_a_project_of_its_own() -> None:
    found = resource_id("gcp:compute/network:Network", {"name": "n", "project": "b"}, project="a")
    assert found == "projects/b/global/networks/n"


@pytest.mark.parametrize(
    ("kind", "inputs"),
    [
        (POOL, {**PLACED, "cluster": UNKNOWN}),
        (POOL, {"name": "a100"}),
        ("kubernetes:core/v1:Service", {"metadata": {"name": "dask", "namespace": UNKNOWN}}),
        ("kubernetes:core/v1:Service", {"metadata": {}}),
        ("random:index/randomId:RandomId", {"byteLength": 4}),
    ],
)
def test_what_inputs_do_not_tell_has_no_id(kind: str, inputs: dict[str, object]) -> None:
    assert resource_id(kind, inputs, project="acme") is None


def test_without_any_project_there_is_no_id() -> None:
    assert resource_id("gcp:compute/network:Network", {"name": "n"}, project=None) is None
