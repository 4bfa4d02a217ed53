"""What the emulated GKE refuses, and in which words. Unit tier."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.rehearsal.emulator.running import (
    CLUSTER,
    ONE_POOL_CLUSTER,
    POOLS,
    Client,
    on_a_cluster,
)

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("method", "path", "body", "code", "message"),
    [
        ("POST", "clusters", ONE_POOL_CLUSTER, 409, "Already exists: projects/acme/zones/"),
        ("GET", "clusters/other", None, 404, "Not found: projects/acme/zones/us-central1-c"),
        ("GET", f"{POOLS}/other", None, 404, r"Not found: node pool \"other\" not found."),
        ("POST", "clusters", {"cluster": {"name": "Upper", "initialNodeCount": 1}}, 400, "regex"),
        ("POST", "clusters", {"cluster": {"name": "none"}}, 400, "initial_node_count"),
        (
            "POST",
            "clusters",
            {"cluster": {"name": "n", "initialNodeCount": 1, "network": "absent"}},
            400,
            "has no network named",
        ),
        ("PUT", CLUSTER, {"update": {}}, 400, "Must specify a field to update"),
        ("PUT", CLUSTER, {"update": {"desiredTpuConfig": {}}}, 501, "desiredTpuConfig"),
        ("PUT", f"{POOLS}/default-pool", {"windowsNodeConfig": {}}, 501, "windowsNodeConfig"),
        ("PUT", f"{POOLS}/default-pool", {"machineType": "a2-highgpu-1g"}, 400, "exactly 1 x"),
        (
            "POST",
            f"{POOLS}/default-pool:setManagement",
            {"management": {"autoRepair": True}},
            400,
            "Auto_upgrade cannot be false when release_channel REGULAR is set",
        ),
        (
            "POST",
            f"{CLUSTER}:setResourceLabels",
            {"resourceLabels": {"a": "b"}, "labelFingerprint": "stale"},
            400,
            "fingerprint",
        ),
    ],
)
def test_refusals_say_what_is_wrong_and_change_nothing(  # noqa: PLR0917
    tmp_path: Path, method: str, path: str, body: object, code: int, message: str
) -> None:
    async def check(client: Client) -> None:
        before = await client.ok("GET", CLUSTER)
        answer = await client.call(method, path, body)
        assert (answer.status_code, message in answer.text) == (code, True), answer.text
        assert await client.ok("GET", CLUSTER) == before

    on_a_cluster(tmp_path, check)
