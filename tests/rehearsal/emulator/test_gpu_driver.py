"""When nodes offer their GPUs: with the driver, whoever installs it. Unit tier."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from rehearsal.emulator import Latency, NoKubernetes
from rehearsal.emulator.gpu_driver import LOADED_DRIVER, installer_version
from tests.rehearsal.emulator.running import ONE_POOL_CLUSTER, T4, Client, emulated, until

if TYPE_CHECKING:
    from pathlib import Path

    from rehearsal.emulator import ClusterRef
    from rehearsal.emulator.document import Document

POOL = "clusters/rapids/nodePools/t4"
INSTALLER = "cos-nvidia-installer:fixed"


class WithPods(NoKubernetes):
    """Nothing but the installers that a test puts in, which wait until they have ended."""

    def __init__(self) -> None:
        super().__init__()
        self.pods: list[Document] = []
        self.asked = 0

    async def waiting_installers(self, cluster: ClusterRef) -> tuple[Document, ...]:
        """Return the test's pods that do not run yet."""
        del cluster
        self.asked += 1
        return tuple(pod for pod in self.pods if pod["status"]["phase"] == "Pending")

    async def set_pod_status(self, cluster: ClusterRef, pod: Document, status: Document) -> None:
        """Change the test's pod."""
        del cluster
        pod["status"] |= status

    def gpus(self) -> list[tuple[str | None, str | None]]:
        """Return each T4 node's GPUs by capacity and by allocatable."""
        [nodes] = self.nodes.values()
        sizes = [node["status"] for name, node in nodes.items() if "-t4-" in name]
        return [
            (size["capacity"].get("nvidia.com/gpu"), size["allocatable"].get("nvidia.com/gpu"))
            for size in sizes
        ]

    def drivers(self) -> list[str | None]:
        """Return the driver that each T4 node has loaded."""
        [nodes] = self.nodes.values()
        return [
            nodes[name]["metadata"]["annotations"].get(LOADED_DRIVER) for name in self.t4_names()
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


def an_installer(node: str, *, version: str = "580.1", first: str = INSTALLER) -> Document:
    env = [{"name": "NVIDIA_DRIVER_VERSION", "value": version}]
    return {
        "spec": {
            "nodeName": node,
            "initContainers": [{"name": "i", "image": first, "env": env}],
            "containers": [{"name": "c", "image": "pause"}],
        },
        "status": {"phase": "Pending"},
    }


async def start(client: Client, pool: Document) -> None:
    await client.ok("POST", "clusters", ONE_POOL_CLUSTER)
    await client.ok("POST", "clusters/rapids/nodePools", pool)


async def rounds(client: Client, *, count: int = 3) -> None:
    """Let the installers work so many times."""
    [cluster] = client.emulator.world.clusters()
    for _ in range(count):
        await client.emulator.driver_installation.look_at(cluster)


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
            others = an_installer(""), an_installer(second, first="busybox")
            backend.pods = [an_installer(first), *others]
            await rounds(client)
            assert backend.gpus() == [("3", "3"), (None, None)]
            assert [pod["status"]["phase"] for pod in backend.pods] == ["Running"] + ["Pending"] * 2
            backend.pods = [an_installer(second, version="580.2")]
            await rounds(client)
            assert backend.gpus() == [("3", "3")] * 2
            assert backend.drivers() == ["580.1", "580.2"]

    asyncio.run(run())


def test_a_loaded_driver_stays_and_an_installer_of_another_version_fails(tmp_path: Path) -> None:
    async def run() -> None:
        backend = WithPods()
        async with emulated(tmp_path, backend=backend) as client:
            await start(client, a_pool("INSTALLATION_DISABLED"))
            [name] = backend.t4_names()
            backend.pods = [an_installer(name)]
            await rounds(client)
            backend.pods = [an_installer(name, version="580.2"), an_installer(name)]
            await rounds(client)
            other, same = backend.pods
            [refused] = other["status"]["initContainerStatuses"]
            assert refused["state"]["waiting"]["reason"] == "CrashLoopBackOff"
            assert "580.1 is loaded and in use, 580.2 is wanted" in str(refused)
            assert other["status"]["phase"] == "Pending"
            assert same["status"]["phase"] == "Running"
            assert backend.drivers() == ["580.1"]

    asyncio.run(run())


def test_the_emulator_looks_for_installers_by_itself_unless_gke_installs_the_driver(
    tmp_path: Path,
) -> None:
    async def run() -> None:
        backend = WithPods()
        async with emulated(tmp_path, latency=Latency.fast(), backend=backend) as client:
            await start(client, a_pool("DEFAULT"))
            await rounds(client)
            assert backend.asked == 0
            await client.ok("DELETE", POOL)
            await client.ok("POST", "clusters/rapids/nodePools", a_pool("INSTALLATION_DISABLED"))
            backend.pods = [an_installer(name) for name in backend.t4_names()]

            async def has_gpus() -> bool:
                return backend.gpus() == [("3", "3")]

            await until(has_gpus)

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


def test_an_installer_names_its_version_in_a_variable_or_an_argument_or_not_at_all() -> None:
    def as_main(**container: object) -> Document:
        return {"spec": {"containers": [{"name": "i", "image": INSTALLER, **container}]}}

    assert installer_version(an_installer("a")) == "580.1"
    assert installer_version(as_main(args=["install", "--version=535.2"])) == "535.2"
    assert installer_version(as_main()) == "latest"
    assert installer_version(an_installer("a", first="busybox")) is None
