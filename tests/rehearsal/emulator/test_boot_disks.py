"""Boot disks of pools: what is provisioned, and which type GKE fills in. Unit tier."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from tests.rehearsal.emulator.running import POOLS, Client, emulated, on_a_cluster

if TYPE_CHECKING:
    from pathlib import Path

    from rehearsal.emulator.document import Document

IN_ZONE_B = "/container/v1beta1/projects/acme/locations/us-central1-b/clusters"
"""The one zone that has all of these machines."""
B200 = {"acceleratorType": "nvidia-b200", "acceleratorCount": "8"}
H200 = {"acceleratorType": "nvidia-h200-141gb", "acceleratorCount": "8"}
RTX = {"acceleratorType": "nvidia-rtx-pro-6000", "acceleratorCount": "1"}


async def disk_of(client: Client, pool: str) -> tuple[str, str]:
    """Return the disk's type under both of its names."""
    config = (await client.ok("GET", f"{POOLS}/{pool}"))["config"]
    return config["diskType"], config["bootDisk"]["diskType"]


def test_a_boot_disk_keeps_what_was_provisioned_for_it(tmp_path: Path) -> None:
    disk = {"diskType": "hyperdisk-balanced", "sizeGb": "200", "provisionedIops": "4000"}

    async def body(client: Client) -> None:
        pool = {"name": "cpu", "config": {"bootDisk": disk}}
        await client.ok("POST", POOLS, {"nodePool": pool})
        config = (await client.ok("GET", f"{POOLS}/cpu"))["config"]
        assert config["bootDisk"] == disk
        assert (config["diskType"], config["diskSizeGb"]) == ("hyperdisk-balanced", 200)

    on_a_cluster(tmp_path, body)


@pytest.mark.parametrize(
    ("config", "disk_type"),
    [
        ({"machineType": "n4-standard-2"}, "hyperdisk-balanced"),
        ({"machineType": "n4-standard-2", "bootDisk": {"sizeGb": "50"}}, "hyperdisk-balanced"),
        ({"machineType": "n4-standard-2", "diskType": ""}, "hyperdisk-balanced"),
        ({"machineType": "c4-standard-4"}, "hyperdisk-balanced"),
        ({"machineType": "g4-standard-48", "accelerators": [RTX]}, "hyperdisk-balanced"),
        ({"machineType": "a4-highgpu-8g", "accelerators": [B200]}, "hyperdisk-balanced"),
        ({"machineType": "a3-ultragpu-8g", "accelerators": [H200]}, "hyperdisk-balanced"),
        ({"machineType": "c3-standard-4"}, "pd-balanced"),
        ({}, "pd-balanced"),
    ],
)
def test_a_pool_that_names_no_disk_boots_from_one_that_its_machines_take(
    tmp_path: Path, config: Document, disk_type: str
) -> None:
    async def run() -> None:
        async with emulated(tmp_path) as client:
            wished = {"name": "other", "initialNodeCount": 1, "nodeConfig": config}
            await client.ok("POST", IN_ZONE_B, {"cluster": wished})
            shown = await client.ok("GET", f"{IN_ZONE_B}/other")
            for nodes in (shown["nodeConfig"], shown["nodePools"][0]["config"]):
                assert (nodes["diskType"], nodes["bootDisk"]["diskType"]) == (disk_type, disk_type)

    asyncio.run(run())


def test_a_persistent_disk_is_refused_where_machines_take_hyperdisk_alone(tmp_path: Path) -> None:
    async def check(client: Client) -> None:
        for disk in ({"diskType": "pd-ssd"}, {"bootDisk": {"diskType": "pd-balanced"}}):
            config = {"machineType": "n4-standard-2", **disk}
            answer = await client.call(
                "POST", POOLS, {"nodePool": {"name": "n4", "config": config}}
            )
            assert (answer.status_code, "boots from Hyperdisk only" in answer.text) == (400, True)
            default = {"name": "new", "initialNodeCount": 1, "nodeConfig": config}
            answer = await client.call("POST", "clusters", {"cluster": default})
            assert (answer.status_code, "boots from Hyperdisk only" in answer.text) == (400, True)
        moved = await client.call("PUT", f"{POOLS}/default-pool", {"machineType": "n4-standard-2"})
        assert (moved.status_code, "boots from Hyperdisk only" in moved.text) == (400, True)

    on_a_cluster(tmp_path, check)


def test_a_boot_disk_that_is_changed_without_a_type_keeps_one_that_its_machines_take(
    tmp_path: Path,
) -> None:
    async def check(client: Client) -> None:
        pool = {"name": "n4", "config": {"machineType": "n4-standard-2"}}
        await client.ok("POST", POOLS, {"nodePool": pool})
        await client.ok("PUT", f"{POOLS}/n4", {"bootDisk": {"sizeGb": "200"}})
        assert await disk_of(client, "n4") == ("hyperdisk-balanced", "hyperdisk-balanced")

    on_a_cluster(tmp_path, check)
