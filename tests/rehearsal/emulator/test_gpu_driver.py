"""When nodes offer their GPUs: with the driver, whoever installs it. Unit tier."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from rehearsal.emulator import Latency, NoKubernetes, Workloads
from rehearsal.emulator.gpu_driver import nodes_with_driver
from tests.rehearsal.emulator.running import ONE_POOL_CLUSTER, T4, Client, emulated, until

if TYPE_CHECKING:
    from pathlib import Path

    from rehearsal.emulator import ClusterRef
    from rehearsal.emulator.document import Document

POOL = "clusters/rapids/nodePools/t4"
INSTALLER = "cos-nvidia-installer:fixed"


class WithPods(NoKubernetes):
    """Nothing but the pods that a test puts in."""

    def __init__(self) -> None:
        super().__init__()
        self.pods: list[Document] = []
        self.asked = 0

    async def workloads(self, cluster: ClusterRef) -> Workloads:
        """Return the test's pods."""
        del cluster
        self.asked += 1
        return Workloads(pods=tuple(self.pods))

    def gpus(self) -> list[tuple[str | None, str | None]]:
        """Return each T4 node's GPUs by capacity and by allocatable."""
        [nodes] = self.nodes.values()
        sizes = [node["status"] for name, node in nodes.items() if "-t4-" in name]
        return [
            (size["capacity"].get("nvidia.com/gpu"), size["allocatable"].get("nvidia.com/gpu"))
            for size in sizes
        ]

    def t4_names(self) -> list[str]:
        """Return the names of the T4 nodes."""
        [nodes] = self.nodes.values()
        return [name for name in nodes if "-t4-" in name]


def a_pool(driver: str | None, *, count: int = 1) -> Document:
    installation = {"gpuDriverInstallationConfig": {"gpuDriverVersion": driver}} if driver else {}
    sharing = {"gpuSharingStrategy": "TIME_SHARING", "maxSharedClientsPerGpu": "3"}
    accelerator = {**T4, **installation, "gpuSharingConfig": sharing}
    config = {"machineType": "n1-standard-4", "accelerators": [accelerator]}
    return {"nodePool": {"name": "t4", "initialNodeCount": count, "config": config}}


def an_installer(node: str, *, ready: str = "True", first: str = INSTALLER) -> Document:
    return {
        "spec": {
            "nodeName": node,
            "initContainers": [{"name": "i", "image": first}],
            "containers": [{"name": "c", "image": "pause"}],
        },
        "status": {"conditions": [{"type": "Ready", "status": ready}]},
    }


async def start(client: Client, pool: Document) -> None:
    await client.ok("POST", "clusters", ONE_POOL_CLUSTER)
    await client.ok("POST", "clusters/rapids/nodePools", pool)


async def rounds(client: Client, *, count: int = 3) -> None:
    """Let the device plugin look so many times."""
    [cluster] = client.emulator.world.clusters()
    for _ in range(count):
        await client.emulator.device_plugin.look_at(cluster)


@pytest.mark.parametrize("driver", [None, "DEFAULT", "LATEST"])
def test_a_pool_whose_driver_gke_installs_has_its_gpus_at_once(
    tmp_path: Path, driver: str | None
) -> None:
    async def run() -> None:
        backend = WithPods()
        async with emulated(tmp_path, backend=backend) as client:
            await start(client, a_pool(driver))
            assert backend.gpus() == [("3", "3")]

    asyncio.run(run())


def test_without_a_driver_a_node_has_no_gpu_until_an_installer_ran_on_it(tmp_path: Path) -> None:
    async def run() -> None:
        backend = WithPods()
        async with emulated(tmp_path, backend=backend) as client:
            await start(client, a_pool("INSTALLATION_DISABLED", count=2))
            first, second = backend.t4_names()
            others = an_installer(second, ready="False"), an_installer(second, first="busybox")
            backend.pods = [an_installer(first), *others]
            await rounds(client)
            assert backend.gpus() == [("3", "3"), (None, None)]
            backend.pods = [an_installer(second)]
            await rounds(client)
            assert backend.gpus() == [("3", "3")] * 2

    asyncio.run(run())


def test_the_emulator_looks_for_drivers_by_itself_and_only_while_one_is_missing(
    tmp_path: Path,
) -> None:
    async def run() -> None:
        backend = WithPods()
        async with emulated(tmp_path, latency=Latency.fast(), backend=backend) as client:
            await start(client, a_pool("INSTALLATION_DISABLED"))
            backend.pods = [an_installer(name) for name in backend.t4_names()]

            async def has_gpus() -> bool:
                return backend.gpus() == [("3", "3")]

            await until(has_gpus)
            asked = backend.asked
            await rounds(client)
            assert backend.asked == asked

    asyncio.run(run())


def test_a_machine_that_goes_is_waited_for_no_longer(tmp_path: Path) -> None:
    async def run() -> None:
        async with emulated(tmp_path) as client:
            await start(client, a_pool("INSTALLATION_DISABLED", count=2))
            [cluster] = client.emulator.world.clusters()
            assert len(cluster.pools["t4"].awaiting_driver) == 2
            await client.ok("POST", f"{POOL}:setSize", {"nodeCount": 0})
            assert cluster.pools["t4"].awaiting_driver == {}

    asyncio.run(run())


def test_an_installer_counts_wherever_in_a_placed_pod_it_runs() -> None:
    as_main: Document = an_installer("a")
    as_main["spec"] = {"nodeName": "a", "containers": [{"name": "i", "image": INSTALLER}]}
    unplaced = an_installer("")
    fresh: Document = {"spec": an_installer("c")["spec"]}
    assert nodes_with_driver([as_main, unplaced, fresh, an_installer("b")]) == {"a", "b"}
