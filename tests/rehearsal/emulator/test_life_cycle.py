"""States of clusters, pools and operations, without Kubernetes. Unit tier."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from rehearsal.emulator import Latency
from tests.rehearsal.emulator.running import (
    CLUSTER,
    LOCATION,
    ONE_POOL_CLUSTER,
    POOLS,
    T4_POOL,
    Client,
    Gated,
    emulated,
    finished,
    on_a_cluster,
)

if TYPE_CHECKING:
    from pathlib import Path

AT_ONCE = Latency(hold_answer_s=0.0)
"""Answers come before their operations are done."""


async def pool_status(client: Client, name: str) -> object:
    return (await client.ok("GET", f"{POOLS}/{name}"))["status"]


def test_a_cluster_and_its_pool_pass_through_their_states(tmp_path: Path) -> None:
    backend = Gated()

    async def run() -> None:
        async with emulated(tmp_path, latency=AT_ONCE, backend=backend) as client:
            backend.gate.clear()
            operation = await client.ok("POST", "clusters", ONE_POOL_CLUSTER)
            assert operation["status"] in ("PENDING", "RUNNING")
            cluster = await client.ok("GET", CLUSTER)
            assert cluster["status"] == "PROVISIONING"
            backend.gate.set()
            await finished(client, operation)
            assert (await client.ok("GET", CLUSTER))["status"] == "RUNNING"

            backend.gate.clear()
            operation = await client.ok("POST", f"{POOLS}/default-pool:setSize", {"nodeCount": 3})
            assert await pool_status(client, "default-pool") == "RECONCILING"
            backend.gate.set()
            await finished(client, operation)
            assert await pool_status(client, "default-pool") == "RUNNING"
            assert (await client.ok("GET", CLUSTER))["currentNodeCount"] == 3

            backend.gate.clear()
            operation = await client.ok("DELETE", CLUSTER)
            assert (await client.ok("GET", CLUSTER))["status"] == "STOPPING"
            backend.gate.set()
            await finished(client, operation)
            assert (await client.call("GET", CLUSTER)).status_code == 404

    asyncio.run(run())


def test_the_answer_carries_what_google_fills_in(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        cluster = await client.ok("GET", CLUSTER)
        assert cluster["networkConfig"]["network"] == "projects/acme/global/networks/default"
        assert cluster["masterAuth"]["clusterCaCertificate"]
        assert cluster["endpoint"]
        assert cluster["locations"] == ["us-central1-c"]
        assert cluster["nodeConfig"]["machineType"] == "e2-medium"
        assert cluster["etag"]
        [url] = cluster["instanceGroupUrls"]
        group = url.rpartition("/")[2]
        path = f"/compute/beta/projects/acme/zones/us-central1-c/instanceGroupManagers/{group}"
        assert (await client.ok("GET", path))["targetSize"] == 1

    on_a_cluster(tmp_path, body)


def test_a_cluster_without_pools_has_no_node_config(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        await client.ok("DELETE", f"{POOLS}/default-pool")
        assert "nodeConfig" not in await client.ok("GET", CLUSTER)

    on_a_cluster(tmp_path, body)


def test_gke_adds_the_gpu_taint_only_beside_a_pool_without_gpus(tmp_path: Path) -> None:
    async def taints(client: Client) -> object:
        await client.ok("POST", POOLS, T4_POOL)
        pool = await client.ok("GET", f"{POOLS}/t4")
        return pool["config"].get("taints")

    async def beside(client: Client) -> None:
        taint = {"key": "nvidia.com/gpu", "value": "present", "effect": "NO_SCHEDULE"}
        assert await taints(client) == [taint]

    async def alone(client: Client) -> None:
        await client.ok("DELETE", f"{POOLS}/default-pool")
        assert await taints(client) is None

    on_a_cluster(tmp_path, beside)
    on_a_cluster(tmp_path, alone)


def test_operations_on_different_pools_run_together_others_wait(tmp_path: Path) -> None:
    backend = Gated()

    async def body(client: Client) -> None:
        backend.gate.clear()
        resize = await client.ok("POST", f"{POOLS}/default-pool:setSize", {"nodeCount": 2})
        create = await client.ok("POST", POOLS, T4_POOL)
        again = await client.call("POST", f"{POOLS}/default-pool:setSize", {"nodeCount": 1})
        error = again.json()["error"]
        assert (error["code"], error["errors"][0]["reason"]) == (400, "failedPrecondition")
        assert f"Operation {resize['name']} is currently resizing a node pool" in error["message"]
        delete = await client.call("DELETE", CLUSTER)
        assert "Cluster is running incompatible operation" in delete.text
        backend.gate.set()
        await finished(client, resize)
        await finished(client, create)
        await finished(client, await client.ok("DELETE", CLUSTER))

    on_a_cluster(tmp_path, body, AT_ONCE, backend)


def test_a_change_of_kernel_parameters_replaces_machines_one_by_one(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        await finished(
            client, await client.ok("POST", f"{POOLS}/default-pool:setSize", {"nodeCount": 3})
        )
        [cluster] = client.emulator.world.clusters()
        instances = cluster.pools["default-pool"].instances["us-central1-c"]
        before = set(instances)
        change = await client.ok(
            "PUT",
            f"{POOLS}/default-pool",
            {
                "name": "default-pool",
                "linuxNodeConfig": {"sysctls": {"vm.max_map_count": "262144"}},
                "upgradeSettings": {"maxSurge": 0, "maxUnavailable": 1},
            },
        )
        sizes = set()
        while (await client.ok("GET", f"operations/{change['name']}"))["status"] != "DONE":
            sizes.add(len(instances))
        assert sizes == {2, 3}
        assert len(instances) == 3
        assert not before & set(instances)

    on_a_cluster(tmp_path, body, Latency(node_boot_s=0.05, node_delete_s=0.05))


def test_each_cluster_update_reaches_the_answer(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        for update in (
            {"desiredReleaseChannel": {"channel": "STABLE"}},
            {"desiredNodePoolId": "default-pool", "desiredNodePoolAutoscaling": AUTOSCALING},
            {"desiredWorkloadIdentityConfig": {"workloadPool": "acme.svc.id.goog"}},
        ):
            await client.ok("PUT", CLUSTER, {"update": update})
        cluster = await client.ok("GET", CLUSTER)
        assert cluster["releaseChannel"] == {"channel": "STABLE"}
        assert cluster["nodePools"][0]["autoscaling"] == AUTOSCALING
        assert cluster["workloadIdentityConfig"] == {"workloadPool": "acme.svc.id.goog"}
        window = {"dailyMaintenanceWindow": {"startTime": "03:00"}}
        await client.ok(
            "POST",
            f"{CLUSTER}:setMaintenancePolicy",
            {"maintenancePolicy": {"window": window}},
        )
        labels = {"resourceLabels": {"a": "b"}, "labelFingerprint": cluster["labelFingerprint"]}
        await client.ok("POST", f"{CLUSTER}:setResourceLabels", labels)
        cluster = await client.ok("GET", CLUSTER)
        assert cluster["maintenancePolicy"]["window"] == window
        assert cluster["resourceLabels"] == {"a": "b"}

    on_a_cluster(tmp_path, body)


AUTOSCALING = {"enabled": True, "minNodeCount": 1, "maxNodeCount": 2}


def test_zonal_links_that_google_hands_out_can_be_followed(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        cluster = await client.ok("GET", CLUSTER)
        link = str(cluster["selfLink"]).removeprefix(client.emulator.base_url)
        assert link == f"{LOCATION}/{CLUSTER}".replace("/locations/", "/zones/")
        assert await client.ok("GET", link) == cluster

    on_a_cluster(tmp_path, body)


def test_a_regional_cluster_has_its_nodes_in_three_zones(tmp_path: Path) -> None:
    async def run() -> None:
        async with emulated(tmp_path) as client:
            region = "/container/v1beta1/projects/acme/locations/us-central1/clusters"
            await client.ok("POST", region, ONE_POOL_CLUSTER)
            cluster = await client.ok("GET", f"{region}/rapids")
            assert len(cluster["locations"]) == 3
            assert cluster["currentNodeCount"] == 3
            assert "/locations/us-central1/clusters/rapids" in cluster["selfLink"]

    asyncio.run(run())


def test_a_cluster_has_the_addresses_that_were_wished_by_range_or_by_size(tmp_path: Path) -> None:
    async def run() -> None:
        async with emulated(tmp_path) as client:

            async def pods(name: str, wished: dict[str, object]) -> object:
                cluster = {"name": name, "initialNodeCount": 1, **wished}
                await client.ok("POST", "clusters", {"cluster": cluster})
                return (await client.ok("GET", f"clusters/{name}"))["clusterIpv4Cidr"]

            by_size = {"clusterIpv4CidrBlock": "/16", "servicesIpv4CidrBlock": "/22"}
            assert await pods("size", {"ipAllocationPolicy": by_size}) == "10.112.0.0/16"
            services = (await client.ok("GET", "clusters/size"))["servicesIpv4Cidr"]
            assert services == "34.118.224.0/22"
            assert await pods("routes", {"clusterIpv4Cidr": "10.8.0.0/14"}) == "10.8.0.0/14"
            wrong = {"clusterIpv4CidrBlock": "/99"}
            cluster = {"name": "n", "initialNodeCount": 1, "ipAllocationPolicy": wrong}
            answer = await client.call("POST", "clusters", {"cluster": cluster})
            assert (answer.status_code, "'/99'" in answer.text) == (400, True)

    asyncio.run(run())
