"""What happens to emulated clusters by itself. Unit tier."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from rehearsal.emulator import Latency
from tests.rehearsal.emulator.running import T4_POOL, on_a_cluster, until

if TYPE_CHECKING:
    from pathlib import Path

    from tests.rehearsal.emulator.running import Client

INCIDENTS = "/rehearsal/incidents"
QUICK = Latency(hold_answer_s=30.0, autoscaler_interval_s=0.05)
POOLS = "clusters/rapids/nodePools"


def machines(client: Client) -> set[str]:
    """The names of all machines that exist."""
    return {
        name
        for cluster in client.emulator.world.clusters()
        for pool in cluster.pools.values()
        for names in pool.instances.values()
        for name in names
    }


@pytest.mark.parametrize(
    "incident",
    [
        {"kind": "machine-loss"},
        {"kind": "zone-loss", "zone": "us-central1-c"},
        {"kind": "pool-drain", "pool": "t4"},
    ],
    ids=lambda incident: incident["kind"],
)
def test_machines_that_go_are_replaced_by_others(tmp_path: Path, incident: dict[str, Any]) -> None:
    async def body(client: Client) -> None:
        await client.ok("POST", POOLS, T4_POOL)
        (before,) = {name for name in machines(client) if "-t4-" in name}
        if incident["kind"] == "machine-loss":
            incident["machine"] = before
        assert (await client.call("POST", INCIDENTS, incident)).status_code == 204

        async def is_replaced() -> bool:
            now = {name for name in machines(client) if "-t4-" in name}
            return len(now) == 1 and before not in now

        await until(is_replaced)

    on_a_cluster(tmp_path, body, QUICK)


def test_a_zone_without_stock_stays_empty(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        faults = [{"kind": "stockout", "pool": ".*", "times": 1000}]
        await client.call("POST", "/rehearsal/faults", faults)
        await client.call("POST", INCIDENTS, {"kind": "zone-loss", "zone": "us-central1-c"})

        async def is_told() -> bool:
            pool = await client.ok("GET", f"{POOLS}/default-pool")
            return bool(pool["status"] == "RUNNING_WITH_ERROR")

        await until(is_told)
        assert machines(client) == set()

    on_a_cluster(tmp_path, body, QUICK)


def test_a_pool_that_loses_a_zone_grows_in_another_one(tmp_path: Path) -> None:
    bounds = {"enabled": True, "totalMinNodeCount": 2, "totalMaxNodeCount": 3}
    zones = ["us-central1-a", "us-central1-c"]
    pool = T4_POOL["nodePool"] | {"locations": zones, "autoscaling": bounds}

    async def body(client: Client) -> None:
        await client.ok("POST", POOLS, {"nodePool": pool | {"initialNodeCount": 1}})
        (cluster,) = client.emulator.world.clusters()
        there = cluster.pools["t4"]
        assert {zone: len(names) for zone, names in there.instances.items()} == dict.fromkeys(
            zones, 1
        )
        lost = {"kind": "stockout", "pool": ".*", "zone": "us-central1-a", "times": 1000}
        await client.call("POST", "/rehearsal/faults", [lost])
        await client.call("POST", INCIDENTS, {"kind": "zone-loss", "zone": "us-central1-a"})

        async def is_elsewhere() -> bool:
            found = await client.ok("GET", f"{POOLS}/t4")
            return found["status"] == "RUNNING" and len(there.instances["us-central1-c"]) == 2

        await until(is_elsewhere)
        assert there.instances["us-central1-a"] == []

    on_a_cluster(tmp_path, body, replace(QUICK, stockout_back_off_s=0.2))


@pytest.mark.parametrize(
    ("incident", "status"),
    [
        ({"kind": "machine-loss", "machine": "nobody"}, 404),
        ({"kind": "pool-drain", "pool": "nobody"}, 404),
        ({"kind": "flood"}, 400),
        ({"kind": "process-restart", "process": "sshd"}, 400),
    ],
)
def test_what_cannot_happen_is_refused(
    tmp_path: Path, incident: dict[str, str], status: int
) -> None:
    async def body(client: Client) -> None:
        assert (await client.call("POST", INCIDENTS, incident)).status_code == status

    on_a_cluster(tmp_path, body)
