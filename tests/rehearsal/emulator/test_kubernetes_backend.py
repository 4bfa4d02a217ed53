"""Clusters with a control plane each. What starts a real one is of the rehearsal tier."""

from __future__ import annotations

import asyncio
import threading
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from kubernetes.client import CoreV1Api
from kubernetes.config import new_client_from_config
from psutil import process_iter

from rehearsal.emulator import KubernetesBackend, Latency, kubernetes_backend
from rehearsal.emulator.backend import ClusterRef, Endpoint
from rehearsal.emulator.kubernetes_api import KubernetesApi
from rehearsal.emulator.kubernetes_backend import NoControlPlaneError
from rehearsal.emulator.node_pool_spec import settle_config
from rehearsal.emulator.node_template import node_document
from rehearsal.emulator.system_workloads import system_daemon_sets
from tests.rehearsal.emulator.pods import (
    ONE_GPU,
    a_pod,
    holds,
    is_running,
    pods_named,
    run_everywhere,
)
from tests.rehearsal.emulator.running import ONE_POOL_CLUSTER, T4, Client, on_control_planes, until

if TYPE_CHECKING:
    from pathlib import Path

    from rehearsal.control_plane import ControlPlane
    from rehearsal.emulator.document import Document
    from rehearsal.toolchain import Binaries

ZONE = "us-central1-c"
CLUSTER = "clusters/rapids"
QUICK = Latency(
    hold_answer_s=60.0, autoscaler_interval_s=0.2, scale_down_after_s=1.0, drain_timeout_s=2.0
)
AUTOSCALED_T4 = {
    "nodePool": {
        "name": "t4",
        "config": {"machineType": "n1-standard-4", "accelerators": [T4]},
        "autoscaling": {"enabled": True, "minNodeCount": 0, "maxNodeCount": 3},
    }
}


def a_node(name: str) -> Document:
    pool = {
        "name": "drain",
        "version": "1.36.3",
        "config": settle_config({"machineType": "e2-standard-4"}, gpu_taint=True),
        "maxPodsConstraint": {"maxPodsPerNode": "32"},
    }
    node = node_document(project="acme", pool=pool, zone=ZONE, name=name)
    taint = {"key": "for", "value": name, "effect": "NoSchedule"}
    node["spec"]["taints"] = [taint]
    return node


SAID_OF_NOBODY: Document = {
    "involvedObject": {"kind": "Pod", "namespace": "gone", "name": "p"},
    "reason": "TriggeredScaleUp",
}


async def live_through(client: Client, backend: KubernetesBackend) -> None:
    await client.ok("POST", "clusters", {"cluster": {"name": "rapids", "initialNodeCount": 1}})
    cluster = await client.ok("GET", CLUSTER)
    control_plane = backend.control_planes["rapids"]
    assert cluster["status"] == "RUNNING"
    assert cluster["endpoint"] == control_plane.endpoint
    api = KubernetesApi(control_plane.admin_kubeconfig)
    on_every_node = sum(not item.gpu_only for item in system_daemon_sets())
    await run_everywhere(api, count=on_every_node)

    await client.ok("POST", f"{CLUSTER}/nodePools", AUTOSCALED_T4)
    api.create([a_pod(f"gpu-{i}", resources=ONE_GPU) for i in range(2)])
    await holds(lambda: all(is_running(pod) for pod in pods_named(api, "gpu-")))
    seen = await client.ok("GET", CLUSTER)
    assert seen["currentNodeCount"] == 3
    assert len({pod["spec"]["nodeName"] for pod in pods_named(api, "gpu-")}) == 2

    core = CoreV1Api(new_client_from_config(str(control_plane.admin_kubeconfig)))
    told = core.list_namespaced_event("default", field_selector="reason=TriggeredScaleUp").items
    assert {event.involved_object.name for event in told} == {"gpu-0", "gpu-1"}
    api.record({**SAID_OF_NOBODY, "metadata": {"name": "late", "namespace": "gone"}})

    core.delete_collection_namespaced_pod("default", label_selector="app in (gpu-0, gpu-1)")

    async def is_small_again() -> bool:
        return bool((await client.ok("GET", CLUSTER))["currentNodeCount"] == 1)

    await until(is_small_again)
    await client.ok("DELETE", CLUSTER)
    assert backend.control_planes == {}


@pytest.mark.rehearsal
def test_a_cluster_lives_grows_for_pending_pods_shrinks_and_goes(
    binaries: Binaries, tmp_path: Path
) -> None:
    on_control_planes(tmp_path, live_through, binaries=binaries, latency=QUICK)
    assert list((tmp_path / "clusters").iterdir()) == []


@pytest.mark.rehearsal
def test_stopping_in_the_middle_of_a_create_leaves_no_process(
    binaries: Binaries, tmp_path: Path
) -> None:
    def ours() -> list[str]:
        commands = (" ".join(p.info["cmdline"] or ()) for p in process_iter(["cmdline"]))
        return [command for command in commands if str(tmp_path) in command]

    async def create(client: Client, _backend: KubernetesBackend) -> None:
        await client.ok("POST", "clusters", ONE_POOL_CLUSTER)
        await holds(lambda: bool(ours()))

    on_control_planes(tmp_path, create, binaries=binaries, latency=Latency())
    assert ours() == []


@pytest.mark.rehearsal
def test_a_drain_respects_a_disruption_budget_until_its_time_is_over(
    control_plane: ControlPlane,
) -> None:
    api = KubernetesApi(control_plane.admin_kubeconfig)
    api.add_node(a_node("drained"))
    toleration = {"key": "for", "value": "drained"}
    budget = {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "guarded", "namespace": "default"},
        "spec": {"minAvailable": 1, "selector": {"matchLabels": {"app": "guarded"}}},
    }
    spec: dict[str, object] = {
        "tolerations": [toleration],
        "nodeSelector": {"kubernetes.io/hostname": "drained"},
    }
    api.create([budget, a_pod("guarded", **spec), a_pod("free", **spec)])

    async def run() -> None:
        await holds(lambda: all(is_running(p) for p in pods_named(api, "")))
        drain = asyncio.create_task(
            asyncio.to_thread(api.remove_node, "drained", drain_timeout_s=3.0)
        )
        await holds(lambda: not pods_named(api, "free"))
        assert pods_named(api, "guarded"), "the budget did not hold"
        await drain

    asyncio.run(run())
    assert pods_named(api, "guarded") == []


class Told:
    """In place of control planes and of their APIs: notes what is done to which cluster."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.may_start = threading.Event()
        self.may_start.set()

    def control_plane(self, *, directory: Path, **_: object) -> Any:
        """A control plane that is nothing but its directory."""

        def start(*, at_known_ports: bool) -> None:
            assert not at_known_ports
            self.may_start.wait()
            directory.mkdir(parents=True)
            self.done.append(f"start {directory.name}")

        return SimpleNamespace(
            start=start,
            stop=lambda: self.done.append(f"stop {directory.name}"),
            restart=lambda process: self.done.append(f"restart {process} of {directory.name}"),
            admin_kubeconfig=directory / "admin",
            endpoint=f"{directory.name}:6443",
            ca_certificate="PEM",
        )

    def api(self, kubeconfig: Path) -> Any:
        """An API that takes everything."""
        name = kubeconfig.parent.name
        return SimpleNamespace(
            create=lambda objects: self.done.append(f"create {bool(objects)} in {name}"),
            close=lambda: self.done.append(f"close {name}"),
        )


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Told:
    told = Told()
    monkeypatch.setattr(kubernetes_backend, "ControlPlane", told.control_plane)
    monkeypatch.setattr(kubernetes_backend, "KubernetesApi", told.api)
    return told


def backend_in(tmp_path: Path) -> KubernetesBackend:
    binaries: Any = None  # nothing is started
    return KubernetesBackend(binaries=binaries, directory=tmp_path)


def a_cluster(name: str) -> ClusterRef:
    return ClusterRef(project="acme", location=ZONE, name=name)


def test_a_cluster_has_a_control_plane_and_a_directory_until_it_is_deleted(
    tmp_path: Path, told: Told
) -> None:
    backend = backend_in(tmp_path)

    async def run() -> Endpoint:
        endpoint = await backend.create(a_cluster("one"))
        await backend.create(a_cluster("two"))
        await backend.restart(a_cluster("two"), "etcd")
        await backend.delete(a_cluster("one"))
        return endpoint

    assert asyncio.run(run()) == Endpoint(address="one:6443", ca_certificate="PEM")
    assert told.done == [
        *("start one", "create True in one", "start two", "create True in two"),
        *("restart etcd of two", "close one", "stop one"),
    ]
    assert set(backend.control_planes) == {"two"}
    assert [each.name for each in tmp_path.iterdir()] == ["two"]


def test_deleting_what_does_not_run_leaves_nothing_either(tmp_path: Path, told: Told) -> None:
    (tmp_path / "stopped").mkdir()

    async def run() -> None:
        await backend_in(tmp_path).delete(a_cluster("stopped"))
        await backend_in(tmp_path).delete(a_cluster("never there"))

    asyncio.run(run())
    assert told.done == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("told")
def test_what_does_not_run_cannot_be_asked_and_is_named(tmp_path: Path) -> None:
    backend = backend_in(tmp_path)

    with pytest.raises(NoControlPlaneError, match="control plane of gone does not run"):
        asyncio.run(backend.workloads(a_cluster("gone")))
    with pytest.raises(NoControlPlaneError, match="control plane of gone does not run"):
        asyncio.run(backend.restart(a_cluster("gone"), "etcd"))


def test_a_start_whose_operation_was_cancelled_is_ended_all_the_same(
    tmp_path: Path, told: Told
) -> None:
    async def run() -> None:
        backend = backend_in(tmp_path)
        told.may_start.clear()
        create = asyncio.create_task(backend.create(a_cluster("one")))
        await asyncio.sleep(0)
        create.cancel()
        told.may_start.set()
        await backend.stop()

    asyncio.run(run())
    assert told.done == ["start one", "create True in one", "close one", "stop one"]
