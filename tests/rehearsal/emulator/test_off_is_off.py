"""Off is off: what an update names, and what it no longer names, is what there is then. Unit tier.

Google's clients leave false, zero and empty out of what they send.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.rehearsal.emulator.running import CLUSTER, POOLS, Client, on_a_cluster
from tests.rehearsal.emulator.wishes import SCHEMAS, new_pool, updated_pool

if TYPE_CHECKING:
    from pathlib import Path

    from rehearsal.emulator.document import Document

COLLECTIONS: dict[str, list[Any]] = {
    "labels": [{"a": "b"}],
    "resourceLabels": [{"a": "b"}],
    "tags": [["a"]],
    "taints": [[{"key": "a", "value": "b", "effect": "NO_SCHEDULE"}]],
}


@pytest.mark.parametrize("field", COLLECTIONS)
@pytest.mark.parametrize("is_named", [True, False], ids=["an empty one", "nothing"])
def test_the_last_label_tag_or_taint_of_a_pool_can_be_taken_away(
    field: str, *, is_named: bool
) -> None:
    inner = "labels" if field == "resourceLabels" else field
    [on] = COLLECTIONS[field]
    as_new = new_pool(**{field: on})
    off = updated_pool(as_new, field, {inner: type(on)()} if is_named else {})
    assert off == new_pool()
    assert updated_pool(off, field, {inner: on}) == as_new


def test_an_update_of_a_pool_that_names_no_field_is_refused_as_google_does(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        answer = await client.call("PUT", f"{POOLS}/default-pool", {"name": "default-pool"})
        assert answer.status_code == 400
        assert "At least one of ['node_version', 'image_type'" in answer.text

    on_a_cluster(tmp_path, body)


NETWORKS = {"enabled": True, "cidrBlocks": [{"cidrBlock": "10.0.0.0/8"}]}


@pytest.mark.parametrize(
    ("field", "on", "off", "path"),
    [
        (
            "desiredControlPlaneEndpointsConfig",
            {"ipEndpointsConfig": {"authorizedNetworksConfig": NETWORKS}},
            {"ipEndpointsConfig": {"authorizedNetworksConfig": {}}},
            "masterAuthorizedNetworksConfig.cidrBlocks",
        ),
        (
            "desiredMasterAuthorizedNetworksConfig",
            NETWORKS,
            {},
            "controlPlaneEndpointsConfig.ipEndpointsConfig.authorizedNetworksConfig.cidrBlocks",
        ),
        (
            "desiredMonitoringConfig",
            {"managedPrometheusConfig": {"enabled": True}},
            {"managedPrometheusConfig": {}},
            "monitoringConfig.managedPrometheusConfig.enabled",
        ),
        (
            "desiredAuthenticatorGroupsConfig",
            {"enabled": True, "securityGroup": "gke-security-groups@acme.org"},
            {},
            "authenticatorGroupsConfig.securityGroup",
        ),
        ("desiredVerticalPodAutoscaling", {"enabled": True}, {}, "verticalPodAutoscaling.enabled"),
        # Both as Google's provider sends them; their ``enabled`` has presence.
        (
            "desiredAutoIpamConfig",
            {"enabled": True},
            {},
            "ipAllocationPolicy.autoIpamConfig.enabled",
        ),
        (
            "desiredSecretSyncConfig",
            {"enabled": True, "rotationConfig": {"enabled": True}},
            {},
            "secretSyncConfig.enabled",
        ),
        (
            "desiredClusterAutoscaling",
            {"enableNodeAutoprovisioning": True, "resourceLimits": [{"resourceType": "cpu"}]},
            {},
            "autoscaling.resourceLimits",
        ),
        (
            "desiredIntraNodeVisibilityConfig",
            {"enabled": True},
            {},
            "networkConfig.enableIntraNodeVisibility",
        ),
        (
            "desiredL4ilbSubsettingConfig",
            {"enabled": True},
            {},
            "networkConfig.enableL4ilbSubsetting",
        ),
    ],
)
def test_a_cluster_shows_what_was_switched_on_and_no_longer_what_was_switched_off(
    tmp_path: Path, field: str, on: Document, off: Document, path: str
) -> None:
    async def shown(client: Client) -> Any:
        value: Any = await client.ok("GET", CLUSTER)
        for key in path.split("."):
            value = value.get(key, {})
        return value

    async def body(client: Client) -> None:
        await client.ok("PUT", CLUSTER, {"update": {field: on}})
        assert await shown(client)
        await client.ok("PUT", CLUSTER, {"update": {field: off}})
        assert not await shown(client)
        cluster = await client.ok("GET", CLUSTER)
        # What was not spoken of is as before: one component of two, one endpoint of two.
        assert cluster["monitoringConfig"]["componentConfig"]["enableComponents"]
        assert cluster["controlPlaneEndpointsConfig"]["ipEndpointsConfig"]["publicEndpoint"]
        assert cluster["autoscaling"]["autoscalingProfile"] == "BALANCED"
        assert set(cluster) <= set(SCHEMAS["Cluster"]["properties"])
        assert set(cluster["networkConfig"]) <= set(SCHEMAS["NetworkConfig"]["properties"])

    on_a_cluster(tmp_path, body)


def test_private_google_access_is_switched_off_by_a_request_that_is_empty(tmp_path: Path) -> None:
    compute = "/compute/beta/projects/acme"
    subnetworks = f"{compute}/regions/us-central1/subnetworks"

    async def body(client: Client) -> None:
        await client.ok("POST", f"{compute}/global/networks", {"name": "rapids"})
        subnetwork = {"name": "rapids", "network": "rapids", "ipCidrRange": "10.0.0.0/20"}
        await client.ok("POST", subnetworks, {**subnetwork, "privateIpGoogleAccess": True})
        await client.ok("POST", f"{subnetworks}/rapids/setPrivateIpGoogleAccess", {})
        shown = await client.ok("GET", f"{subnetworks}/rapids")
        assert shown["privateIpGoogleAccess"] is False

    on_a_cluster(tmp_path, body)


@pytest.mark.parametrize(
    ("management", "what"),
    [
        ({}, "Auto_upgrade and auto_repair"),
        ({"autoRepair": True}, "Auto_upgrade"),
        ({"autoRepair": True, "autoUpgrade": False}, "Auto_upgrade"),
        ({"autoUpgrade": True}, "Auto_repair"),
    ],
)
def test_a_channel_refuses_a_pool_that_is_created_without_upgrades_or_repairs(
    tmp_path: Path, management: Document, what: str
) -> None:
    async def body(client: Client) -> None:
        pool = {"name": "cpu", "management": management}
        answer = await client.call("POST", POOLS, {"nodePool": pool})
        assert answer.status_code == 400
        assert f"{what} cannot be false when release_channel REGULAR is set." in answer.text
        await client.ok("PUT", CLUSTER, {"update": {"desiredReleaseChannel": {}}})
        await client.ok("POST", POOLS, {"nodePool": pool})
        shown = await client.ok("GET", f"{POOLS}/cpu")
        # What is false is not sent (proto3 JSON).
        assert shown["management"] == {name: True for name, on in management.items() if on}

    on_a_cluster(tmp_path, body)
