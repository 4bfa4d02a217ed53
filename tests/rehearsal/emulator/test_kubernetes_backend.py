"""Clusters with a real control plane. Rehearsal tier: starts one."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from kubernetes.client import CoreV1Api
from kubernetes.config import new_client_from_config
from psutil import process_iter

from rehearsal.emulator import KubernetesBackend, Latency
from rehearsal.emulator.kubernetes_api import KubernetesApi
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

pytestmark = pytest.mark.rehearsal

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
    core.delete_collection_namespaced_pod("default", label_selector="app in (gpu-0, gpu-1)")

    async def is_small_again() -> bool:
        return bool((await client.ok("GET", CLUSTER))["currentNodeCount"] == 1)

    await until(is_small_again)
    await client.ok("DELETE", CLUSTER)
    assert backend.control_planes == {}


def test_a_cluster_lives_grows_for_pending_pods_shrinks_and_goes(
    binaries: Binaries, tmp_path: Path
) -> None:
    on_control_planes(tmp_path, live_through, binaries=binaries, latency=QUICK)
    assert list((tmp_path / "clusters").iterdir()) == []


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
