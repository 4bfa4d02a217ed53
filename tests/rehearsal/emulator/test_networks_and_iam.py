"""Networks, service accounts and IAM policies. Unit tier."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.rehearsal.emulator.running import Client, emulated

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

COMPUTE = "/compute/beta/projects/acme"
NETWORKS = f"{COMPUTE}/global/networks"
SUBNETWORKS = f"{COMPUTE}/regions/us-central1/subnetworks"
ACCOUNTS = "/iam/v1/projects/acme/serviceAccounts"
EMAIL = "rapids-nodes@acme.iam.gserviceaccount.com"
POLICY = "/crm/v1/projects/acme"


def served(tmp_path: Path, body: Callable[[Client], Awaitable[None]]) -> None:
    async def run() -> None:
        async with emulated(tmp_path) as client:
            await body(client)

    asyncio.run(run())


def subnetwork(name: str, cidr: str, pods: str) -> dict[str, object]:
    return {
        "name": name,
        "network": "projects/acme/global/networks/rapids",
        "ipCidrRange": cidr,
        "secondaryIpRanges": [{"rangeName": "pods", "ipCidrRange": pods}],
    }


def test_ranges_may_not_overlap_and_users_hold_what_they_use(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        await client.ok("POST", NETWORKS, {"name": "rapids", "autoCreateSubnetworks": False})
        good = subnetwork("rapids", "10.0.0.0/20", "10.4.0.0/14")
        await client.ok("POST", SUBNETWORKS, good)
        clash = await client.call(
            "POST", SUBNETWORKS, subnetwork("other", "10.8.0.0/20", "10.4.0.0/16")
        )
        assert "conflicts with existing subnetwork" in clash.text
        malformed = await client.call(
            "POST", SUBNETWORKS, subnetwork("other", "10.9.0.1/20", "10.12.0.0/16")
        )
        assert "host bits set" in malformed.text
        used = await client.call("DELETE", f"{NETWORKS}/rapids")
        assert used.status_code == 400
        assert "already being used by 'projects/acme/regions/us-central1/sub" in used.text
        await client.ok("DELETE", f"{SUBNETWORKS}/rapids")
        operation = await client.ok("DELETE", f"{NETWORKS}/rapids")
        link = str(operation["selfLink"]).removeprefix(client.emulator.base_url)
        assert await client.ok("GET", link) == operation
        missing = await client.call("GET", f"{NETWORKS}/rapids")
        assert missing.status_code == 404
        assert "The resource 'projects/acme/global/networks/rapids' was not found" in missing.text

    served(tmp_path, body)


def test_a_networks_routing_is_set_as_googles_provider_does_it(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        routing = {"routingMode": "GLOBAL", "deleteBgpAlwaysCompareMed": False}
        await client.ok("POST", NETWORKS, {"name": "rapids", "routingConfig": routing})
        default = {"routingMode": "GLOBAL", "bgpBestPathSelectionMode": "LEGACY"}
        assert (await client.ok("GET", f"{NETWORKS}/rapids"))["routingConfig"] == default
        compared = {"routingConfig": {"bgpAlwaysCompareMed": True}}
        await client.ok("PATCH", f"{NETWORKS}/rapids", compared)
        shown = (await client.ok("GET", f"{NETWORKS}/rapids"))["routingConfig"]
        assert shown == {**default, "bgpAlwaysCompareMed": True}
        deleted = {"routingConfig": {"deleteBgpAlwaysCompareMed": True}}
        await client.ok("PATCH", f"{NETWORKS}/rapids", deleted)
        assert (await client.ok("GET", f"{NETWORKS}/rapids"))["routingConfig"] == default

    served(tmp_path, body)


def test_a_network_that_a_cluster_uses_cannot_be_deleted(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        await client.ok("POST", NETWORKS, {"name": "rapids", "autoCreateSubnetworks": False})
        await client.ok("POST", SUBNETWORKS, subnetwork("rapids", "10.0.0.0/20", "10.4.0.0/14"))
        cluster = {
            "name": "c",
            "initialNodeCount": 1,
            "network": "rapids",
            "subnetwork": "rapids",
            "ipAllocationPolicy": {"clusterSecondaryRangeName": "pods"},
        }
        await client.ok("POST", "clusters", {"cluster": cluster})
        seen = await client.ok("GET", "clusters/c")
        assert seen["clusterIpv4Cidr"] == "10.4.0.0/14"
        used = await client.call("DELETE", f"{SUBNETWORKS}/rapids")
        assert "zones/us-central1-c/clusters/c" in used.text

    served(tmp_path, body)


def test_a_router_patch_replaces_its_nats_and_null_clears_a_field(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        routers = f"{COMPUTE}/regions/us-central1/routers"
        await client.ok("POST", NETWORKS, {"name": "rapids"})
        await client.ok(
            "POST", routers, {"name": "r", "network": "rapids", "description": "d", "bgp": None}
        )
        await client.ok("PATCH", f"{routers}/r", {"nats": [{"name": "n"}], "description": None})
        router = await client.ok("GET", f"{routers}/r")
        assert [nat["name"] for nat in router["nats"]] == ["n"]
        assert "description" not in router
        await client.ok("PATCH", f"{routers}/r", {"nats": []})
        assert "nats" not in await client.ok("GET", f"{routers}/r")

    served(tmp_path, body)


def test_a_subnetwork_is_changed_only_over_the_version_that_was_read(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        await client.ok("POST", NETWORKS, {"name": "rapids", "autoCreateSubnetworks": False})
        await client.ok("POST", SUBNETWORKS, subnetwork("rapids", "10.0.0.0/20", "10.4.0.0/14"))
        read = (await client.ok("GET", f"{SUBNETWORKS}/rapids"))["fingerprint"]
        change = {"description": "d", "fingerprint": read}
        await client.ok("PATCH", f"{SUBNETWORKS}/rapids", change)
        changed = await client.ok("GET", f"{SUBNETWORKS}/rapids")
        assert (changed["description"], changed["fingerprint"] == read) == ("d", False)
        stale = await client.call("PATCH", f"{SUBNETWORKS}/rapids", change)
        assert stale.status_code == 412
        assert "fingerprint" not in await client.ok("GET", f"{NETWORKS}/rapids")

    served(tmp_path, body)


def test_an_iam_policy_is_written_only_over_the_version_that_was_read(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        binding = {"role": "roles/viewer", "members": [f"serviceAccount:{EMAIL}"]}
        policy = await client.ok("POST", f"{POLICY}:getIamPolicy", {})
        wanted = {"policy": {"bindings": [binding], "etag": policy["etag"]}}
        unknown = await client.call("POST", f"{POLICY}:setIamPolicy", wanted)
        assert f"Service account {EMAIL} does not exist" in unknown.text
        await client.ok("POST", ACCOUNTS, {"accountId": "rapids-nodes"})
        await client.ok("POST", f"{POLICY}:setIamPolicy", wanted)
        stale = await client.call("POST", f"{POLICY}:setIamPolicy", wanted)
        assert stale.status_code == 409
        assert "concurrent policy changes" in stale.text
        requests = client.emulator.log.read()
        assert [r.mutating for r in requests] == [False, True, True, True, True]

    served(tmp_path, body)


def test_a_service_account_is_found_by_address_and_in_any_project(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        created = await client.ok(
            "POST",
            ACCOUNTS,
            {"accountId": "rapids-nodes", "serviceAccount": {"displayName": "Nodes"}},
        )
        assert created["email"] == EMAIL
        assert await client.ok("GET", f"{ACCOUNTS}/{EMAIL}") == created
        wildcard = f"/iam/v1/projects/-/serviceAccounts/{EMAIL}"
        assert await client.ok("GET", wildcard) == created
        again = await client.call("POST", ACCOUNTS, {"accountId": "rapids-nodes"})
        assert again.status_code == 409
        await client.ok(
            "PATCH",
            f"{ACCOUNTS}/{EMAIL}",
            {"serviceAccount": {"displayName": "N"}, "updateMask": "displayName"},
        )
        assert (await client.ok("GET", f"{ACCOUNTS}/{EMAIL}"))["displayName"] == "N"
        pool = {"name": "p", "config": {"serviceAccount": "x@acme.iam.gserviceaccount.com"}}
        refused = await client.call(
            "POST", "clusters", {"cluster": {"name": "c", "nodePools": [pool]}}
        )
        assert "does not exist" in refused.text
        await client.ok("DELETE", f"{ACCOUNTS}/{EMAIL}")
        assert (await client.call("GET", f"{ACCOUNTS}/{EMAIL}")).status_code == 404

    served(tmp_path, body)


def test_services_are_enabled(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        services = "/serviceusage/v1/projects/acme/services"
        one = await client.ok("GET", f"{services}/container.googleapis.com")
        assert one["state"] == "ENABLED"
        names = "names=projects/acme/services/iam.googleapis.com"
        both = await client.ok("GET", f"{services}:batchGet?{names}&{names}")
        assert len(both["services"]) == 2

    served(tmp_path, body)


def test_a_refusal_of_compute_engine_has_no_canonical_status(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        missing = (await client.call("GET", f"{NETWORKS}/rapids")).json()["error"]
        assert missing.keys() == {"code", "message", "errors"}
        cluster = (await client.call("GET", "clusters/rapids")).json()["error"]
        assert cluster["status"] == "NOT_FOUND"

    served(tmp_path, body)


def test_a_field_that_is_not_emulated_may_be_named_and_off(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        network = {"name": "rapids", "enableUlaInternalIpv6": False}
        refused = await client.call("POST", NETWORKS, {**network, "enableUlaInternalIpv6": True})
        assert (refused.status_code, "enableUlaInternalIpv6" in refused.text) == (501, True)
        await client.ok("POST", NETWORKS, network)
        await client.ok("PATCH", f"{NETWORKS}/rapids", {"enableUlaInternalIpv6": False})
        assert "enableUlaInternalIpv6" not in await client.ok("GET", f"{NETWORKS}/rapids")

    served(tmp_path, body)


def test_a_router_and_its_nat_say_what_google_fills_in(tmp_path: Path) -> None:
    routers = f"{COMPUTE}/regions/us-central1/routers"

    async def body(client: Client) -> None:
        await client.ok("POST", NETWORKS, {"name": "rapids"})
        await client.ok("POST", routers, {"name": "rapids", "network": "rapids"})
        assert (await client.ok("GET", f"{routers}/rapids"))["encryptedInterconnectRouter"] is False
        for wished, effective in (({}, 120), ({"tcpTimeWaitTimeoutSec": 30}, 30)):
            await client.ok("PATCH", f"{routers}/rapids", {"nats": [{"name": "nat", **wished}]})
            (nat,) = (await client.ok("GET", f"{routers}/rapids"))["nats"]
            assert (nat["type"], nat["effectiveTcpTimeWaitTimeoutSec"]) == ("PUBLIC", effective)

    served(tmp_path, body)
