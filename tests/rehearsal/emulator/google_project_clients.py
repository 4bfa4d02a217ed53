"""Google's own client on what is beside clusters; ``test_google_clients`` runs it on its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from googleapiclient.errors import HttpError

from tests.rehearsal.emulator.google_api import api_client, emulator

if TYPE_CHECKING:
    from rehearsal.emulator import Emulator

__all__ = ["emulator"]  # a fixture

PARENT = "projects/acme/locations/us-central1-c"


def test_google_api_python_client_uses_what_clusters_refer_to(emulator: Emulator) -> None:
    compute = api_client(emulator, name="compute", version="v1", base="/compute/v1/")
    where = {"project": "acme", "region": "us-central1"}
    compute.addresses().insert(**where, body={"name": "a"}).execute()
    address = compute.addresses().get(**where, address="a").execute()
    labels = {"labels": {"a": "b"}, "labelFingerprint": address["labelFingerprint"]}
    compute.addresses().setLabels(**where, resource="a", body=labels).execute()
    rule = {"name": "f", "denied": [{"IPProtocol": "all"}]}
    compute.firewalls().insert(project="acme", body=rule).execute()
    [shown] = compute.firewalls().list(project="acme").execute()["items"]
    assert shown["direction"] == "INGRESS"
    zone = {"project": "acme", "zone": "us-central1-c"}
    compute.reservations().insert(**zone, body={"name": "r"}).execute()
    size = {"specificSkuCount": "2"}
    compute.reservations().resize(**zone, reservation="r", body=size).execute()
    policy = {"name": "close", "groupPlacementPolicy": {"collocation": "COLLOCATED"}}
    operation = compute.resourcePolicies().insert(**where, body=policy).execute()
    waited = compute.regionOperations().wait(**where, operation=operation["name"]).execute()
    assert waited["status"] == "DONE"


def test_google_api_python_client_sets_policies_and_services(emulator: Emulator) -> None:
    iam = api_client(emulator, name="iam", version="v1", base="/iam/")
    accounts = iam.projects().serviceAccounts()
    made = accounts.create(name="projects/acme", body={"accountId": "robot1"}).execute()
    member = "serviceAccount:acme.svc.id.goog[team/default]"
    policy = accounts.getIamPolicy(resource=made["name"]).execute()
    policy["bindings"] = [{"role": "roles/iam.workloadIdentityUser", "members": [member]}]
    accounts.setIamPolicy(resource=made["name"], body={"policy": policy}).execute()
    with pytest.raises(HttpError, match="concurrent policy changes"):
        accounts.setIamPolicy(resource=made["name"], body={"policy": policy}).execute()

    registry = api_client(
        emulator, name="artifactregistry", version="v1", base="/artifactregistry/"
    )
    repositories = registry.projects().locations().repositories()
    parent = "projects/acme/locations/us-central1"
    body = {"format": "DOCKER"}
    repositories.create(parent=parent, repositoryId="images", body=body).execute()
    name = f"{parent}/repositories/images"
    reader = {"role": "roles/artifactregistry.reader", "members": ["allUsers"]}
    repositories.setIamPolicy(resource=name, body={"policy": {"bindings": [reader]}}).execute()
    assert repositories.getIamPolicy(resource=name).execute()["bindings"] == [reader]

    usage = api_client(emulator, name="serviceusage", version="v1", base="/serviceusage/")
    service = "projects/acme/services/monitoring.googleapis.com"
    assert usage.services().disable(name=service, body={}).execute()["done"]
    assert usage.services().get(name=service).execute()["state"] == "DISABLED"
    operation = usage.services().enable(name=service, body={}).execute()
    assert usage.operations().get(name=operation["name"]).execute()["done"]
    assert usage.services().get(name=service).execute()["state"] == "ENABLED"


def test_googles_clients_read_which_fields_are_wrong(emulator: Emulator) -> None:
    api = api_client(emulator, name="container", version="v1", base="")
    body = {"cluster": {"name": "c", "initialNodeCount": "many", "bogus": 1}}
    with pytest.raises(HttpError) as raised:
        api.projects().locations().clusters().create(parent=PARENT, body=body).execute()
    violations = raised.value.error_details[0]["fieldViolations"]
    assert [each["field"] for each in violations] == ["cluster.initial_node_count", "cluster"]
