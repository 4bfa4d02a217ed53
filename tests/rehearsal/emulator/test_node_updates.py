"""What an update of a pool does to its nodes: nothing, new marks, or new nodes. Unit tier."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from rehearsal.emulator import NoKubernetes
from tests.rehearsal.emulator.running import ONE_POOL_CLUSTER, emulated

if TYPE_CHECKING:
    from pathlib import Path

    from rehearsal.emulator.document import Document

POOL = "clusters/rapids/nodePools/cpu"
TAINT = {"key": "dedicated", "value": "x", "effect": "NO_SCHEDULE"}


def nodes_before_and_after(tmp_path: Path, update: Document) -> tuple[Document, Document]:
    """Return the pool's nodes by name, before and after an update."""

    async def run() -> tuple[Document, Document]:
        backend = NoKubernetes()
        async with emulated(tmp_path, backend=backend) as client:
            await client.ok("POST", "clusters", ONE_POOL_CLUSTER)
            config: dict[str, Any] = {"machineType": "e2-standard-4", "labels": {"old": "label"}}
            pool = {"name": "cpu", "initialNodeCount": 2, "config": config}
            await client.ok("POST", "clusters/rapids/nodePools", {"nodePool": pool})
            [nodes] = backend.nodes.values()
            before = {name: dict(node) for name, node in nodes.items() if "-cpu-" in name}
            await client.ok("PUT", POOL, {"name": "cpu", **update})
            return before, {name: node for name, node in nodes.items() if "-cpu-" in name}

    return asyncio.run(run())


@pytest.mark.parametrize(
    "update",
    [
        {"labels": {"labels": {"new": "label"}}},
        {"taints": {"taints": [TAINT]}},
    ],
    ids=lambda update: next(iter(update)),
)
def test_what_is_written_on_a_node_leaves_it_running(tmp_path: Path, update: Document) -> None:
    before, after = nodes_before_and_after(tmp_path, update)
    assert before.keys() == after.keys()


def test_labels_and_taints_reach_the_nodes_that_there_are(tmp_path: Path) -> None:
    _, labelled = nodes_before_and_after(tmp_path / "1", {"labels": {"labels": {"new": "label"}}})
    _, tainted = nodes_before_and_after(tmp_path / "2", {"taints": {"taints": [TAINT]}})
    for node in labelled.values():
        assert node["metadata"]["labels"]["new"] == "label"
        assert "old" not in node["metadata"]["labels"]
    for node in tainted.values():
        assert node["spec"]["taints"] == [
            {"key": "dedicated", "value": "x", "effect": "NoSchedule"}
        ]


@pytest.mark.parametrize(
    "update",
    [
        {"linuxNodeConfig": {"sysctls": {"vm.max_map_count": "580126020"}}},
        {"machineType": "e2-standard-8"},
        {"diskSizeGb": "300"},
        {"resourceLabels": {"labels": {"cost-center": "1"}}},
    ],
    ids=lambda update: next(iter(update)),
)
def test_what_a_machine_is_made_with_makes_new_ones(tmp_path: Path, update: Document) -> None:
    before, after = nodes_before_and_after(tmp_path, update)
    assert len(after) == 2
    assert before.keys().isdisjoint(after.keys())
