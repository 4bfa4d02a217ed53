"""The Node object of a machine in a GKE pool: labels, taints, addresses and size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rehearsal.emulator.gpu_driver import managed_driver
from rehearsal.emulator.machines import region_of
from rehearsal.emulator.node_sizing import node_size

if TYPE_CHECKING:
    from rehearsal.emulator.document import Document

GPU_TAINT: Document = {"key": "nvidia.com/gpu", "value": "present", "effect": "NO_SCHEDULE"}
_EFFECTS = {
    "NO_SCHEDULE": "NoSchedule",
    "PREFER_NO_SCHEDULE": "PreferNoSchedule",
    "NO_EXECUTE": "NoExecute",
}
_OS_IMAGES = {"cos": "Container-Optimized OS from Google", "ubuntu": "Ubuntu"}
_SHARING = {"TIME_SHARING": "time-sharing", "MPS": "mps"}


def _gpu_labels(config: Document) -> Document:
    labels: Document = {}
    for accelerator in config.get("accelerators", ()):
        labels |= {
            "cloud.google.com/gke-accelerator": accelerator["acceleratorType"],
            "cloud.google.com/gke-accelerator-count": accelerator["acceleratorCount"],
            "cloud.google.com/gke-gpu": "true",
        }
        driver = managed_driver(accelerator)
        if driver:
            labels["cloud.google.com/gke-gpu-driver-version"] = driver
        if size := accelerator.get("gpuPartitionSize"):
            labels["cloud.google.com/gke-gpu-partition-size"] = size
        sharing = accelerator.get("gpuSharingConfig")
        if sharing:
            labels |= {
                "cloud.google.com/gke-gpu-sharing-strategy": _SHARING[
                    sharing["gpuSharingStrategy"]
                ],
                "cloud.google.com/gke-max-shared-clients-per-gpu": sharing[
                    "maxSharedClientsPerGpu"
                ],
            }
    return labels


def _os_distribution(config: Document) -> str:
    return "ubuntu" if config["imageType"].upper().startswith("UBUNTU") else "cos"


def node_labels(pool: Document, *, zone: str, name: str) -> Document:
    """Return the labels that GKE puts on a node, and the pool's own."""
    config = pool["config"]
    spot = config.get("spot", False)
    labels: Document = {
        "kubernetes.io/arch": "amd64",
        "kubernetes.io/os": "linux",
        "kubernetes.io/hostname": name,
        "node.kubernetes.io/instance-type": config["machineType"],
        "topology.kubernetes.io/region": region_of(zone),
        "topology.kubernetes.io/zone": zone,
        "cloud.google.com/gke-nodepool": pool["name"],
        "cloud.google.com/gke-boot-disk": config["diskType"],
        "cloud.google.com/gke-container-runtime": "containerd",
        "cloud.google.com/gke-os-distribution": _os_distribution(config),
        "cloud.google.com/gke-provisioning": "spot" if spot else "standard",
        "cloud.google.com/machine-family": config["machineType"].split("-")[0],
        **_gpu_labels(config),
    }
    if config.get("preemptible"):
        labels["cloud.google.com/gke-preemptible"] = "true"
    if spot:
        labels["cloud.google.com/gke-spot"] = "true"
    if config.get("workloadMetadataConfig", {}).get("mode") == "GKE_METADATA":
        labels["iam.gke.io/gke-metadata-server-enabled"] = "true"
    labels |= config.get("labels", {})
    return labels


def node_taints(pool: Document) -> list[Document]:
    """Return the pool's taints in Kubernetes' form."""
    return [
        {"key": taint["key"], "value": taint.get("value", ""), "effect": _EFFECTS[taint["effect"]]}
        for taint in pool["config"].get("taints", ())
    ]


def node_document(*, project: str, pool: Document, zone: str, name: str) -> Document:
    """Return the ``v1.Node`` of one machine of ``pool``, as it is once its driver is installed.

    The annotation gives the node to kwok, which plays its kubelet; the provider ID has GKE's form.
    """
    max_pods = int(pool["maxPodsConstraint"]["maxPodsPerNode"])
    capacity, allocatable = node_size(pool["config"], zone=zone, max_pods=max_pods)
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "name": name,
            "labels": node_labels(pool, zone=zone, name=name),
            "annotations": {"kwok.x-k8s.io/node": "fake", "node.alpha.kubernetes.io/ttl": "0"},
        },
        "spec": {
            "providerID": f"gce://{project}/{zone}/{name}",
            "taints": node_taints(pool),
        },
        "status": {
            "capacity": capacity.quantities(),
            "allocatable": allocatable.quantities(),
            "nodeInfo": {
                "architecture": "amd64",
                "operatingSystem": "linux",
                "osImage": _OS_IMAGES[_os_distribution(pool["config"])],
                "containerRuntimeVersion": "kwok",
                "kubeletVersion": f"v{pool['version']}",
                "kubeProxyVersion": f"v{pool['version']}",
                "kernelVersion": "kwok",
                "bootID": "",
                "machineID": "",
                "systemUUID": "",
            },
        },
    }
