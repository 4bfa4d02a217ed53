"""A pool without a driver, on a real scheduler. Rehearsal tier: starts a control plane."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rehearsal.emulator import KubernetesBackend, Latency
from rehearsal.emulator.kubernetes_api import KubernetesApi
from tests.rehearsal.emulator.pods import ONE_GPU, a_pod, holds, is_running, pods_named
from tests.rehearsal.emulator.running import T4, Client, on_control_planes

if TYPE_CHECKING:
    from pathlib import Path

    from rehearsal.emulator.document import Document
    from rehearsal.toolchain import Binaries

pytestmark = pytest.mark.rehearsal

QUICK = Latency(hold_answer_s=60.0, autoscaler_interval_s=0.1, scale_down_after_s=0.2)
ROUNDS = 10
TWO_CLIENTS = {
    **T4,
    "gpuDriverInstallationConfig": {"gpuDriverVersion": "INSTALLATION_DISABLED"},
    "gpuSharingConfig": {"gpuSharingStrategy": "TIME_SHARING", "maxSharedClientsPerGpu": "2"},
}
POOL = {
    "nodePool": {
        "name": "t4",
        "config": {"machineType": "n1-standard-4", "accelerators": [TWO_CLIENTS]},
        "autoscaling": {"enabled": True, "minNodeCount": 0, "maxNodeCount": 3},
    }
}


def an_installer() -> Document:
    labels = {"app": "anything"}
    container = {"name": "driver", "image": "cos-nvidia-installer:fixed"}
    pause = {"name": "pause", "image": "does.not/exist"}
    pod = {
        "nodeSelector": {"cloud.google.com/gke-gpu": "true"},
        "tolerations": [{"operator": "Exists"}],
        "initContainers": [container],
        "containers": [pause],
    }
    return {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": "anything", "namespace": "kube-system"},
        "spec": {
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": pod},
        },
    }


def refusal(pod: Document) -> str:
    """Return why the scheduler does not place the pod; empty while it has not said so."""
    conditions = pod["status"].get("conditions", ())
    return "".join(c.get("message", "") for c in conditions if c["type"] == "PodScheduled")


async def live_through(client: Client, backend: KubernetesBackend) -> None:
    await client.ok("POST", "clusters", {"cluster": {"name": "rapids", "initialNodeCount": 1}})
    await client.ok("POST", "clusters/rapids/nodePools", POOL)
    api = KubernetesApi(backend.control_planes["rapids"].admin_kubeconfig)
    [cluster] = client.emulator.world.clusters()
    pool = cluster.pools["t4"]

    api.create([a_pod("gpu-early", resources=ONE_GPU)])
    await holds(lambda: any(map(is_running, pods_named(api, "dcgm"))))
    api.create([a_pod("gpu-late", resources=ONE_GPU)])
    # Both nodes, the system's and the T4: the pod was tried on the latter too.
    refused = "2 Insufficient nvidia.com/gpu"
    await holds(lambda: all(refused in refusal(pod) for pod in pods_named(api, "gpu-late")))
    for _ in range(ROUNDS):
        await client.emulator.autoscaler.look_at(cluster)
        await client.emulator.driver_installation.look_at(cluster)
    assert pool.size == 1, "the autoscaler did not wait for the GPU"
    assert not any(map(is_running, pods_named(api, "gpu-")))

    api.create([an_installer()])
    await holds(lambda: all(map(is_running, pods_named(api, "gpu-"))))
    assert pool.size == 1
    await client.ok("DELETE", "clusters/rapids")


def test_a_gpu_pod_waits_on_one_machine_until_a_driver_is_installed(
    binaries: Binaries, tmp_path: Path
) -> None:
    on_control_planes(tmp_path, live_through, binaries=binaries, latency=QUICK)
