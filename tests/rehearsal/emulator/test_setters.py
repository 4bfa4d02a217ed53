"""Methods that set one thing, and updates of a cluster that change nodes. Unit tier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from rehearsal.emulator import NoKubernetes
from tests.rehearsal.emulator.running import CLUSTER, POOLS, Client, on_a_cluster

if TYPE_CHECKING:
    from pathlib import Path

    from rehearsal.emulator.document import Document


@pytest.mark.parametrize(
    ("method", "body", "path", "value"),
    [
        (
            "setAddons",
            {"addonsConfig": {"networkPolicyConfig": {}}},
            "addonsConfig.networkPolicyConfig",
            {},
        ),
        (
            "setAddons",
            {"addonsConfig": {"networkPolicyConfig": {}}},
            "addonsConfig.dnsCacheConfig.enabled",
            True,
        ),
        ("setLogging", {"loggingService": "none"}, "loggingService", "none"),
        ("setMonitoring", {"monitoringService": "none"}, "monitoringService", "none"),
        (
            "setLocations",
            {"locations": ["us-central1-c", "us-central1-a"]},
            "locations",
            ["us-central1-c", "us-central1-a"],
        ),
        ("updateMaster", {"masterVersion": "latest"}, "currentMasterVersion", "1.36.3-gke.1000000"),
        (
            "setNetworkPolicy",
            {"networkPolicy": {"enabled": True, "provider": "CALICO"}},
            "networkPolicy.enabled",
            True,
        ),
        ("setNetworkPolicy", {"networkPolicy": {}}, "networkPolicy", {}),
        ("setLegacyAbac", {"enabled": True}, "legacyAbac", {"enabled": True}),
        ("setLegacyAbac", {}, "legacyAbac", {}),
    ],
)
def test_a_cluster_has_what_was_set(
    tmp_path: Path, method: str, body: Document, path: str, value: object
) -> None:
    async def check(client: Client) -> None:
        await client.ok("POST", f"{CLUSTER}:{method}", body)
        found: Any = await client.ok("GET", CLUSTER)
        for key in path.split("."):
            found = found[key]
        assert found == value

    on_a_cluster(tmp_path, check)


@pytest.mark.parametrize("method", ["setAddons", "setLogging", "setLocations", "updateMaster"])
def test_a_method_that_is_told_nothing_is_refused(tmp_path: Path, method: str) -> None:
    async def check(client: Client) -> None:
        answer = await client.call("POST", f"{CLUSTER}:{method}", {})
        assert (answer.status_code, "Must specify a field" in answer.text) == (400, True)

    on_a_cluster(tmp_path, check)


def test_the_image_of_a_pool_is_changed_by_an_update_of_the_cluster(tmp_path: Path) -> None:
    backend = NoKubernetes()

    async def check(client: Client) -> None:
        [before] = [set(nodes) for nodes in backend.nodes.values()]
        ubuntu = {"desiredImageType": "UBUNTU_CONTAINERD"}
        operation = await client.ok("PUT", CLUSTER, {"update": ubuntu})
        assert operation["operationType"] == "UPGRADE_NODES"
        pool = await client.ok("GET", f"{POOLS}/default-pool")
        assert pool["config"]["imageType"] == "UBUNTU_CONTAINERD"
        [after] = [set(nodes) for nodes in backend.nodes.values()]
        assert len(after) == len(before)
        assert before.isdisjoint(after)

        await client.ok("POST", POOLS, {"nodePool": {"name": "other"}})
        unnamed = await client.call("PUT", CLUSTER, {"update": ubuntu})
        assert "desiredNodePoolId must be set" in unnamed.text
        named = {**ubuntu, "desiredNodePoolId": "other"}
        await client.ok("PUT", CLUSTER, {"update": named})
        other = await client.ok("GET", f"{POOLS}/other")
        assert other["config"]["imageType"] == "UBUNTU_CONTAINERD"
        mixed = {**named, "desiredLoggingService": "none"}
        assert (await client.call("PUT", CLUSTER, {"update": mixed})).status_code == 501
        windows = {"desiredImageType": "WINDOWS_LTSC_CONTAINERD", "desiredNodePoolId": "other"}
        assert (await client.call("PUT", CLUSTER, {"update": windows})).status_code == 501

    on_a_cluster(tmp_path, check, backend=backend)


@pytest.mark.parametrize("by", ["setLocations", "an update"])
def test_the_zones_of_a_cluster_are_those_of_all_its_pools(tmp_path: Path, by: str) -> None:
    backend = NoKubernetes()

    async def locate(client: Client, *zones: str) -> Any:
        if by == "an update":
            return await client.call("PUT", CLUSTER, {"update": {"desiredLocations": zones}})
        return await client.call("POST", f"{CLUSTER}:setLocations", {"locations": zones})

    async def check(client: Client) -> None:
        [nodes] = backend.nodes.values()
        first = set(nodes)
        await locate(client, "us-central1-c", "us-central1-a")
        pool = await client.ok("GET", f"{POOLS}/default-pool")
        assert pool["locations"] == ["us-central1-c", "us-central1-a"]
        assert len(pool["instanceGroupUrls"]) == 2
        zones = {
            node["metadata"]["labels"]["topology.kubernetes.io/zone"] for node in nodes.values()
        }
        assert (zones, first < set(nodes)) == ({"us-central1-c", "us-central1-a"}, True)
        await locate(client, "us-central1-c")
        assert set(nodes) == first
        p100 = {"acceleratorType": "nvidia-tesla-p100", "acceleratorCount": "1"}
        config = {"machineType": "n1-standard-4", "accelerators": [p100]}
        pool = {"name": "p100", "initialNodeCount": 1, "config": config}
        await client.ok("POST", POOLS, {"nodePool": pool})
        lacking = await locate(client, "us-central1-c", "us-central1-b")
        cluster = await client.ok("GET", CLUSTER)
        assert (lacking.status_code, "does not exist in zone us-central1-b" in lacking.text) == (
            400,
            True,
        )
        assert (cluster["locations"], cluster["status"]) == (["us-central1-c"], "RUNNING")
        refused = await locate(client, "us-central1-a")
        assert (refused.status_code, "must have the cluster's own zone" in refused.text) == (
            400,
            True,
        )

    on_a_cluster(tmp_path, check, backend=backend)
