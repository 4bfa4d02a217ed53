"""Instance groups of pools, as Compute Engine shows those that GKE made. Unit tier."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from rehearsal.emulator import discovery
from tests.rehearsal.emulator.running import CLUSTER, POOLS, Client, on_a_cluster

if TYPE_CHECKING:
    from pathlib import Path

    from rehearsal.emulator.document import Document

FIELDS = discovery.load("compute", "v1").schemas["InstanceGroupManager"]["properties"]
ITS_SIZE = ("currentActions", "fingerprint", "targetSize", "versions")


async def group(client: Client) -> Document:
    [url] = (await client.ok("GET", CLUSTER))["instanceGroupUrls"]
    return await client.ok("GET", "/compute/" + url.partition("/compute/")[2])


def counted(shown: Document) -> Document:
    """Return the machines by what is done with them."""
    return {action: count for action, count in shown["currentActions"].items() if count}


def test_a_group_says_how_gke_has_it_managed(tmp_path: Path) -> None:
    async def check(client: Client) -> None:
        shown = await group(client)
        assert shown["updatePolicy"] == {
            "maxSurge": {"calculated": 1, "fixed": 1},
            "maxUnavailable": {"calculated": 1, "fixed": 1},
            "minReadySec": 0,
            "minimalAction": "REPLACE",
            "replacementMethod": "SUBSTITUTE",
            "type": "OPPORTUNISTIC",
        }
        assert shown["instanceLifecyclePolicy"] == {
            "defaultActionOnFailure": "REPAIR",
            "forceUpdateOnRepair": "YES",
            "onFailedHealthCheck": "DEFAULT_ACTION",
        }
        assert counted(shown) == {"none": 1}
        assert (shown["status"]["isStable"], shown["status"]["versionTarget"]["isReached"]) == (
            True,
            True,
        )
        assert shown["id"].isdigit()
        assert datetime.fromisoformat(shown["creationTimestamp"]).tzinfo is not None
        assert shown.keys() <= FIELDS.keys()
        assert await group(client) == shown

    on_a_cluster(tmp_path, check)


def test_a_group_that_grows_stays_the_same_with_another_fingerprint(tmp_path: Path) -> None:
    async def check(client: Client) -> None:
        small = await group(client)
        await client.ok("POST", f"{POOLS}/default-pool:setSize", {"nodeCount": 2})
        large = await group(client)
        assert (large["targetSize"], counted(large)) == (2, {"none": 2})
        assert large["fingerprint"] != small["fingerprint"]
        assert {**small, **{name: large[name] for name in ITS_SIZE}} == large

    on_a_cluster(tmp_path, check)


def test_nodes_of_another_kind_come_from_another_template(tmp_path: Path) -> None:
    async def check(client: Client) -> None:
        before = await group(client)
        await client.ok("PUT", f"{POOLS}/default-pool", {"machineType": "e2-standard-4"})
        after = await group(client)
        assert after["instanceTemplate"] != before["instanceTemplate"]
        assert (after["id"], after["creationTimestamp"]) == (
            before["id"],
            before["creationTimestamp"],
        )

    on_a_cluster(tmp_path, check)
