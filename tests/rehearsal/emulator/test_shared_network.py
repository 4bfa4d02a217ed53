"""Shared VPC: a cluster whose network another project has. Unit tier."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from tests.rehearsal.emulator.running import CLUSTER, emulated, finished

if TYPE_CHECKING:
    from pathlib import Path

    from tests.rehearsal.emulator.running import Client

HOST = "/compute/v1/projects/host"
SUBNETWORKS = f"{HOST}/regions/us-central1/subnetworks"
NETWORK = "projects/host/global/networks/shared"
SUBNETWORK = "projects/host/regions/us-central1/subnetworks/shared"
WISHED = {
    "cluster": {
        "name": "rapids",
        "initialNodeCount": 1,
        "network": NETWORK,
        "subnetwork": SUBNETWORK,
        "ipAllocationPolicy": {"useIpAliases": True, "clusterSecondaryRangeName": "pods"},
    }
}


async def share(client: Client) -> str:
    """Make the host's network, and return the member that is GKE of the other project."""
    await client.ok("POST", f"{HOST}/global/networks", {"name": "shared"})
    ranges = [{"rangeName": "pods", "ipCidrRange": "10.4.0.0/14"}]
    subnetwork = {"name": "shared", "network": "shared", "ipCidrRange": "10.0.0.0/20"}
    await client.ok("POST", SUBNETWORKS, {**subnetwork, "secondaryIpRanges": ranges})
    number = (await client.ok("GET", "/crm/v1/projects/acme"))["projectNumber"]
    return f"serviceAccount:service-{number}@container-engine-robot.iam.gserviceaccount.com"


def test_gke_needs_a_role_in_the_host_project_and_one_on_the_network(tmp_path: Path) -> None:
    async def run() -> None:
        async with emulated(tmp_path) as client:
            agent = await share(client)
            refused = await client.call("POST", "clusters", WISHED)
            assert refused.status_code == 403
            assert "Service Agent is missing required permissions" in refused.text

            binding: dict[str, Any] = {
                "role": "roles/container.hostServiceAgentUser",
                "members": [agent],
            }
            policy = {"policy": {"bindings": [binding]}}
            await client.ok("POST", "/crm/v1/projects/host:setIamPolicy", policy)
            refused = await client.call("POST", "clusters", WISHED)
            assert refused.status_code == 403
            words = f"Required 'compute.subnetworks.get' permission for '{SUBNETWORK}'"
            assert words in refused.json()["error"]["message"]

            binding["role"] = "roles/compute.networkUser"
            await client.ok("POST", f"{SUBNETWORKS}/shared/setIamPolicy", policy)
            await finished(client, await client.ok("POST", "clusters", WISHED))
            cluster = await client.ok("GET", CLUSTER)
            assert cluster["clusterIpv4Cidr"] == "10.4.0.0/14"
            assert cluster["networkConfig"]["network"] == NETWORK
            assert cluster["networkConfig"]["subnetwork"] == SUBNETWORK
            used = await client.call("DELETE", f"{SUBNETWORKS}/shared")
            where = "projects/acme/zones/us-central1-c/clusters/rapids"
            assert (used.status_code, f"already being used by '{where}'" in used.text) == (
                400,
                True,
            )

    asyncio.run(run())


def test_the_network_role_may_be_of_the_whole_host_project(tmp_path: Path) -> None:
    async def run() -> None:
        async with emulated(tmp_path) as client:
            agent = await share(client)
            roles = ("roles/container.hostServiceAgentUser", "roles/compute.networkUser")
            bindings = [{"role": role, "members": [agent]} for role in roles]
            policy = {"policy": {"bindings": bindings}}
            await client.ok("POST", "/crm/v1/projects/host:setIamPolicy", policy)
            await client.ok("POST", "clusters", WISHED)

    asyncio.run(run())


def test_a_network_of_the_same_name_in_the_own_project_is_another_one(tmp_path: Path) -> None:
    async def run() -> None:
        async with emulated(tmp_path) as client:
            await share(client)
            own = {"name": "rapids", "initialNodeCount": 1, "network": "shared"}
            refused = await client.call("POST", "clusters", {"cluster": own})
            assert 'Project \\"acme\\" has no network named' in refused.text

    asyncio.run(run())
