"""What GKE says of clusters and pools by itself, and what it is silent about. Unit tier."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from rehearsal.emulator.derived_fields import pod_range_use
from tests.rehearsal.emulator.running import CLUSTER, POOLS, Client, emulated, on_a_cluster

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from rehearsal.emulator.document import Document


def on_a_cluster_with(
    tmp_path: Path, check: Callable[[Document], Awaitable[None]], **wished: object
) -> None:
    async def run() -> None:
        async with emulated(tmp_path) as client:
            cluster = {"name": "rapids", "initialNodeCount": 1, **wished}
            await client.ok("POST", "clusters", {"cluster": cluster})
            await check(await client.ok("GET", CLUSTER))

    asyncio.run(run())


def test_what_a_client_names_and_leaves_off_is_not_shown(tmp_path: Path) -> None:
    async def check(cluster: Document) -> None:
        assert "networkPolicy" not in cluster
        endpoint = cluster["controlPlaneEndpointsConfig"]["ipEndpointsConfig"]
        assert "globalAccess" not in endpoint
        assert endpoint["enablePublicEndpoint"] is True
        (pool,) = cluster["nodePools"]
        assert "autoscaling" not in pool
        assert "enablePrivateNodes" not in pool["networkConfig"]
        assert "loggingConfig" not in pool["config"]

    on_a_cluster_with(
        tmp_path,
        check,
        networkPolicy={},
        controlPlaneEndpointsConfig={
            "ipEndpointsConfig": {"globalAccess": False, "enablePublicEndpoint": True}
        },
    )


def test_what_a_client_switches_on_is_shown(tmp_path: Path) -> None:
    async def check(cluster: Document) -> None:
        assert cluster["networkPolicy"] == {"enabled": True}
        assert cluster["controlPlaneEndpointsConfig"]["ipEndpointsConfig"]["globalAccess"] is True
        assert cluster["nodePools"][0]["networkConfig"]["enablePrivateNodes"] is True

    on_a_cluster_with(
        tmp_path,
        check,
        networkPolicy={"enabled": True},
        networkConfig={"defaultEnablePrivateNodes": True},
        controlPlaneEndpointsConfig={"ipEndpointsConfig": {"globalAccess": True}},
    )


@pytest.mark.parametrize("policy", [{}, {"useIpAliases": False}, {"useIpAliases": True}])
def test_pods_have_a_secondary_range_unless_routes_are_asked_for(
    tmp_path: Path, policy: Document
) -> None:
    async def check(cluster: Document) -> None:
        addresses = cluster["ipAllocationPolicy"]
        assert addresses["useIpAliases"] is True
        pool_range = cluster["nodePools"][0]["networkConfig"]["podRange"]
        assert addresses["clusterSecondaryRangeName"] == pool_range

    on_a_cluster_with(tmp_path, check, ipAllocationPolicy=policy)


def test_pods_behind_routes_have_no_secondary_range(tmp_path: Path) -> None:
    async def check(cluster: Document) -> None:
        assert cluster["ipAllocationPolicy"]["useRoutes"] is True
        assert not cluster["ipAllocationPolicy"].keys() & {
            "clusterSecondaryRangeName",
            "useIpAliases",
        }
        assert "podRange" not in cluster["nodePools"][0]["networkConfig"]

    on_a_cluster_with(tmp_path, check, ipAllocationPolicy={"useRoutes": True})


def test_routes_and_a_secondary_range_exclude_each_other(tmp_path: Path) -> None:
    async def check(client: Client) -> None:
        both = {"useRoutes": True, "useIpAliases": True}
        cluster = {"name": "both", "initialNodeCount": 1, "ipAllocationPolicy": both}
        answer = await client.call("POST", "clusters", {"cluster": cluster})
        assert (answer.status_code, "use_routes exclude" in answer.text) == (400, True)

    on_a_cluster(tmp_path, check)


def test_autoprovisioning_is_filled_in_though_it_is_off(tmp_path: Path) -> None:
    async def check(cluster: Document) -> None:
        assert "enableNodeAutoprovisioning" not in cluster["autoscaling"]
        filled_in = cluster["autoscaling"]["autoprovisioningNodePoolDefaults"]
        assert filled_in["management"] == {"autoRepair": True, "autoUpgrade": True}
        assert (filled_in["imageType"], filled_in["serviceAccount"]) == (
            "COS_CONTAINERD",
            "default",
        )
        assert len(filled_in["oauthScopes"]) == 6

    on_a_cluster_with(tmp_path, check, autoscaling={"enableNodeAutoprovisioning": False})


@pytest.mark.parametrize(
    ("pods", "nodes", "use"),
    [
        ("10.0.0.0/14", [(1, 24)], 0.001),
        ("10.0.0.0/14", [(1, 24), (1, 24)], 0.002),
        ("10.0.0.0/14", [(1, 24), (2, 24)], 0.003),
        ("10.0.0.0/20", [(4, 26), (6, 24)], 0.438),
        ("10.0.0.0/14", [(0, 24)], 0.0),
    ],
)
def test_of_a_range_of_pods_the_nodes_take_their_share(
    pods: str, nodes: list[tuple[int, int]], use: float
) -> None:
    cluster = {"ipAllocationPolicy": {"clusterIpv4CidrBlock": pods}}
    assert pod_range_use(cluster, nodes) == use


def test_a_pool_says_of_its_nodes_what_its_cluster_says(tmp_path: Path) -> None:
    async def check(client: Client) -> None:
        await client.ok("POST", f"{POOLS}/default-pool:setSize", {"nodeCount": 3})
        await client.ok("POST", POOLS, {"nodePool": {"name": "none"}})
        cluster = await client.ok("GET", CLUSTER)
        listed = await client.ok("GET", POOLS)
        assert cluster["ipAllocationPolicy"]["defaultPodIpv4RangeUtilization"] == 0.003
        assert listed["nodePools"] == cluster["nodePools"]
        for pool in cluster["nodePools"]:
            assert pool == await client.ok("GET", f"{POOLS}/{pool['name']}")
            assert pool["networkConfig"]["podIpv4RangeUtilization"] == 0.003
            assert pool["config"]["nodeImageConfig"] == {
                "image": "gke-1363-gke1000000-cos",
                "imageProject": "gke-node-images",
            }
            assert pool["kubeletCertInfo"]["tpmBootstrapCertExpireTime"] > "2031"

    on_a_cluster(tmp_path, check)


def test_an_operation_says_where_its_cluster_is_in_the_older_field(tmp_path: Path) -> None:
    async def check(client: Client) -> None:
        regional = "/container/v1beta1/projects/acme/locations/us-west2/clusters"
        cluster = {"cluster": {"name": "wide", "initialNodeCount": 1}}
        operation = await client.ok("POST", regional, cluster)
        assert (operation["zone"], "location" in operation) == ("us-west2", False)
        zonal = await client.ok("DELETE", f"{POOLS}/default-pool")
        assert (zonal["zone"], "location" in zonal) == ("us-central1-c", False)

    on_a_cluster(tmp_path, check)
