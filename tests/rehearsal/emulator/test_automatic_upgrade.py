"""Unit: an upgrade that GKE makes by itself, and what holds it back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from rehearsal.emulator.maintenance import HeldBack, held_back
from tests.rehearsal.emulator.running import CLUSTER, POOLS, Client, finished, on_a_cluster

if TYPE_CHECKING:
    from pathlib import Path

NEXT_MINOR = "1.37.1-gke.1000"
OLD = "1.36.3-gke.1000000"
NEXT_PATCH = "1.36.4-gke.1000"
NOW = datetime(2026, 11, 21, tzinfo=UTC)


async def upgrade(client: Client, version: str) -> dict[str, Any]:
    return await client.ok("POST", "/rehearsal/upgrade", {"version": version})


def test_control_plane_and_nodes_move_and_the_nodes_are_others(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        nodes = set(instances(client))
        answer = await upgrade(client, NEXT_MINOR)
        cluster = await client.ok("GET", CLUSTER)
        assert list(answer["held_back"].values()) == [[]]
        assert cluster["currentMasterVersion"] == cluster["currentNodeVersion"] == NEXT_MINOR
        assert {pool["version"] for pool in cluster["nodePools"]} == {NEXT_MINOR}
        assert cluster["status"] == "RUNNING"
        assert not nodes & set(instances(client))

    on_a_cluster(tmp_path, body)


def test_what_comes_is_asked_of_the_api_and_an_exclusion_pauses_it(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        info = await client.ok("GET", f"{CLUSTER}:fetchClusterUpgradeInfo")
        assert info["patchTargetVersion"] == OLD
        assert info["autoUpgradeStatus"] == ["ACTIVE"]
        policy = {"window": {"maintenanceExclusions": {"freeze": freeze("NO_UPGRADES")}}}
        path = f"{CLUSTER}:setMaintenancePolicy"
        await finished(client, await client.ok("POST", path, {"maintenancePolicy": policy}))
        info = await client.ok("GET", f"{CLUSTER}:fetchClusterUpgradeInfo")
        assert info["pausedReason"] == ["MAINTENANCE_EXCLUSION_NO_UPGRADES"]

    on_a_cluster(tmp_path, body)


def test_a_pool_that_is_made_afterwards_has_the_new_version(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        await upgrade(client, NEXT_MINOR)
        pool = {"nodePool": {"name": "later", "initialNodeCount": 1}}
        await finished(client, await client.ok("POST", POOLS, pool))
        assert (await client.ok("GET", f"{POOLS}/later"))["version"] == NEXT_MINOR

    on_a_cluster(tmp_path, body)


def test_an_exclusion_holds_the_nodes_back_and_is_named(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        policy = {
            "window": {"maintenanceExclusions": {"freeze": freeze("NO_MINOR_OR_NODE_UPGRADES")}}
        }
        path = f"{CLUSTER}:setMaintenancePolicy"
        await finished(client, await client.ok("POST", path, {"maintenancePolicy": policy}))
        nodes = instances(client)
        answer = await upgrade(client, NEXT_PATCH)
        cluster = await client.ok("GET", CLUSTER)
        assert list(answer["held_back"].values()) == [["nodes: freeze"]]
        assert cluster["currentMasterVersion"] == NEXT_PATCH
        assert cluster["currentNodeVersion"] == OLD
        assert instances(client) == nodes

    on_a_cluster(tmp_path, body)


def test_a_version_that_is_none_is_refused(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        answer = await client.call("POST", "/rehearsal/upgrade", {"version": "newest"})
        assert answer.status_code == 400

    on_a_cluster(tmp_path, body)


@pytest.mark.parametrize(
    ("scope", "version", "control_plane", "nodes"),
    [
        ("NO_UPGRADES", NEXT_PATCH, True, True),
        ("NO_MINOR_UPGRADES", NEXT_PATCH, False, False),
        ("NO_MINOR_UPGRADES", NEXT_MINOR, True, True),
        ("NO_MINOR_OR_NODE_UPGRADES", NEXT_PATCH, False, True),
        ("NO_MINOR_OR_NODE_UPGRADES", NEXT_MINOR, True, True),
    ],
)
def test_what_each_scope_holds_back(
    scope: str,
    version: str,
    control_plane: bool,  # noqa: FBT001
    nodes: bool,  # noqa: FBT001
) -> None:
    policy = {"window": {"maintenanceExclusions": {"freeze": freeze(scope, around=NOW)}}}

    assert held_back(policy, old=OLD, new=version, now=NOW) == HeldBack(
        control_plane=("freeze",) * control_plane, nodes=("freeze",) * nodes
    )


def test_an_exclusion_that_is_over_holds_nothing_back() -> None:
    past = freeze("NO_UPGRADES", around=NOW - timedelta(days=30))
    policy = {"window": {"maintenanceExclusions": {"freeze": past}}}

    assert held_back(policy, old=OLD, new=NEXT_MINOR, now=NOW) == HeldBack(
        control_plane=(), nodes=()
    )


def freeze(scope: str, *, around: datetime | None = None) -> dict[str, Any]:
    moment = around or datetime.now(UTC)
    return {
        "startTime": (moment - timedelta(days=1)).isoformat(),
        "endTime": (moment + timedelta(days=1)).isoformat(),
        "maintenanceExclusionOptions": {"scope": scope},
    }


def instances(client: Client) -> list[str]:
    (cluster,) = client.emulator.world.clusters()
    return [
        name
        for pool in cluster.pools.values()
        for names in pool.instances.values()
        for name in names
    ]
