"""What an update of a pool does to its nodes: nothing, new marks, or new nodes. Unit tier."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from rehearsal.emulator import NoKubernetes
from rehearsal.emulator.errors import InvalidArgumentError, UnimplementedError
from rehearsal.emulator.upgrade_settings import settle_upgrade
from tests.rehearsal.emulator.running import ONE_POOL_CLUSTER, emulated

if TYPE_CHECKING:
    from pathlib import Path

    from rehearsal.emulator.backend import ClusterRef
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
    assert len(labelled) == len(tainted) == 2
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


class Watched(NoKubernetes):
    """Notes how many of a pool's nodes take pods, each time that one comes or goes."""

    def __init__(self) -> None:
        super().__init__()
        self.sizes: list[tuple[int, int]] = []

    def note(self, cluster: ClusterRef) -> None:
        """Note (nodes, nodes that take pods) of the pool."""
        nodes = [node for name, node in self.nodes[cluster].items() if "-cpu-" in name]
        open_ones = [node for node in nodes if not node["spec"].get("unschedulable")]
        self.sizes.append((len(nodes), len(open_ones)))

    async def add_node(self, cluster: ClusterRef, node: Document) -> None:
        """Add it, and note."""
        await super().add_node(cluster, node)
        self.note(cluster)

    async def remove_node(self, cluster: ClusterRef, name: str, *, drain_timeout_s: float) -> None:
        """Remove it, and note."""
        await super().remove_node(cluster, name, drain_timeout_s=drain_timeout_s)
        self.note(cluster)


BLUE_GREEN = {
    "strategy": "BLUE_GREEN",
    "blueGreenSettings": {
        "standardRolloutPolicy": {"batchPercentage": 0.5, "batchSoakDuration": "0s"},
        "nodePoolSoakDuration": "60s",
    },
}


def test_a_blue_green_upgrade_brings_all_new_machines_before_the_first_old_one_goes(
    tmp_path: Path,
) -> None:
    async def run() -> None:
        backend = Watched()
        async with emulated(tmp_path, backend=backend) as client:
            await client.ok("POST", "clusters", ONE_POOL_CLUSTER)
            pool = {"name": "cpu", "initialNodeCount": 3, "upgradeSettings": BLUE_GREEN}
            await client.ok("POST", "clusters/rapids/nodePools", {"nodePool": pool})
            assert (await client.ok("GET", POOL))["upgradeSettings"] == BLUE_GREEN
            [nodes] = backend.nodes.values()
            before = {name for name in nodes if "-cpu-" in name}
            backend.sizes.clear()
            await client.ok("PUT", POOL, {"name": "cpu", "diskSizeGb": "300"})
            assert backend.sizes == [(4, 4), (5, 5), (6, 6), (5, 3), (4, 3), (3, 3)]
            assert before.isdisjoint(nodes)
            shown = await client.ok("GET", POOL)
            assert ("updateInfo" in shown, shown["status"]) == (False, "RUNNING")

    asyncio.run(run())


def test_blue_machines_serve_on_where_green_ones_cannot_be_had(tmp_path: Path) -> None:
    async def run() -> None:
        backend = NoKubernetes()
        async with emulated(tmp_path, backend=backend) as client:
            await client.ok("POST", "clusters", ONE_POOL_CLUSTER)
            pool = {"name": "cpu", "initialNodeCount": 2, "upgradeSettings": BLUE_GREEN}
            await client.ok("POST", "clusters/rapids/nodePools", {"nodePool": pool})
            [nodes] = backend.nodes.values()
            before = set(nodes)
            faults = [{"kind": "stockout", "pool": "cpu"}]
            posted = await client.call("POST", "/rehearsal/faults", faults)
            assert posted.status_code == 204, posted.text
            operation = await client.ok("PUT", POOL, {"name": "cpu", "diskSizeGb": "300"})
            assert "GCE_STOCKOUT" in operation["statusMessage"]
            assert set(nodes) == before

    asyncio.run(run())


def test_blue_green_settings_get_gkes_defaults_and_their_figures_are_looked_at() -> None:
    assert settle_upgrade({"strategy": "BLUE_GREEN"})["blueGreenSettings"] == {
        "nodePoolSoakDuration": "3600s",
        "standardRolloutPolicy": {"batchNodeCount": 1, "batchSoakDuration": "0s"},
    }
    too_much = {"blueGreenSettings": {"standardRolloutPolicy": {"batchPercentage": 2}}}
    with pytest.raises(InvalidArgumentError, match="batchPercentage"):
        settle_upgrade({"strategy": "BLUE_GREEN", **too_much})
    by_autoscaler: Document = {"blueGreenSettings": {"autoscaledRolloutPolicy": {}}}
    with pytest.raises(UnimplementedError, match="autoscaledRolloutPolicy"):
        settle_upgrade({"strategy": "BLUE_GREEN", **by_autoscaler})
    with pytest.raises(UnimplementedError, match="SHORT_LIVED"):
        settle_upgrade({"strategy": "SHORT_LIVED"})
