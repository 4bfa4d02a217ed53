"""A cluster whose network is another project's, as the provider makes it. Tier: loopback."""

from typing import Any

import httpx
import pytest

from rehearsal.providers.gcp.google_api import GoogleApiError
from rehearsal.providers.protocol import Properties
from tests.rehearsal.providers.gcp.conftest import PROJECT, StandIn
from tests.rehearsal.providers.gcp.fleet import ACCOUNT, CLUSTER, FLEET

HOST = "projects/acme-host"
SUBNETWORK = f"{HOST}/regions/us-central1/subnetworks/research"
INPUTS: Properties = {
    **FLEET[CLUSTER],
    "network": f"{HOST}/global/networks/company",
    "subnetwork": SUBNETWORK,
    "ipAllocationPolicy": {
        "clusterSecondaryRangeName": "research-pods",
        "servicesSecondaryRangeName": "research-services",
    },
}


def google(stand_in: StandIn, method: str, path: str, body: object = None) -> Any:
    """Do something as the owner of the host project."""
    url = f"{stand_in.emulator.base_url}/{path}"
    return httpx.request(method, url, json=body).raise_for_status().json()


@pytest.fixture
def shared(stand_in: StandIn) -> StandIn:
    """The host's network, of which nothing is granted yet."""
    google(stand_in, "POST", f"compute/v1/{HOST}/global/networks", {"name": "company"})
    subnetwork = {
        "name": "research",
        "network": "company",
        "ipCidrRange": "10.64.0.0/20",
        "secondaryIpRanges": [
            {"rangeName": "research-pods", "ipCidrRange": "10.68.0.0/14"},
            {"rangeName": "research-services", "ipCidrRange": "10.72.0.0/20"},
        ],
    }
    google(stand_in, "POST", f"compute/v1/{HOST}/regions/us-central1/subnetworks", subnetwork)
    stand_in.create(ACCOUNT, FLEET[ACCOUNT])
    return stand_in


def grant(stand_in: StandIn, path: str, role: str) -> None:
    """Grant GKE of the cluster's project a role."""
    number = google(stand_in, "GET", f"crm/v1/projects/{PROJECT}")["projectNumber"]
    agent = f"serviceAccount:service-{number}@container-engine-robot.iam.gserviceaccount.com"
    policy = {"bindings": [{"role": role, "members": [agent]}]}
    google(stand_in, "POST", path, {"policy": policy})


def test_without_a_grant_the_engine_gets_google_s_words(shared: StandIn) -> None:
    with pytest.raises(GoogleApiError, match="Service Agent is missing required permissions"):
        shared.create(CLUSTER, INPUTS)


def test_with_its_grants_it_has_the_ranges_of_the_host_and_no_difference(shared: StandIn) -> None:
    grant(shared, f"crm/v1/{HOST}:setIamPolicy", "roles/container.hostServiceAgentUser")
    grant(shared, f"compute/v1/{SUBNETWORK}/setIamPolicy", "roles/compute.networkUser")

    made = shared.create(CLUSTER, INPUTS)

    assert made.outputs["clusterIpv4Cidr"] == "10.68.0.0/14"
    assert made.outputs["servicesIpv4Cidr"] == "10.72.0.0/20"
    diff = shared.type(CLUSTER).diff(old=made, inputs=shared.check(CLUSTER, INPUTS))
    assert diff.changes == {}
    own = shared.type(CLUSTER).diff(old=made, inputs=shared.check(CLUSTER, FLEET[CLUSTER]))
    assert own.replaces
