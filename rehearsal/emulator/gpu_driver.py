"""Who installs a node's NVIDIA driver, and where it is installed. Pure.

Without a driver GKE's device plugin finds no device, so the kubelet does not know of any
``nvidia.com/gpu``: neither capacity nor allocatable names it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rehearsal.emulator.document import Document

GPU_RESOURCE = "nvidia.com/gpu"
SIZE_FIELDS = ("capacity", "allocatable")
INSTALLER_IMAGE = "cos-nvidia-installer:fixed"
"""On every GPU node of Container-Optimized OS; Google's installer manifests run it
(GoogleCloudPlatform/container-engine-accelerators, nvidia-driver-installer/cos)."""

_MANAGED_DRIVERS = ("DEFAULT", "LATEST")


def managed_driver(accelerator: Document) -> str | None:
    """Return the driver that GKE installs for an AcceleratorConfig, None where it leaves it out."""
    installation = accelerator.get("gpuDriverInstallationConfig", {})
    version = installation.get("gpuDriverVersion")
    return version.lower() if version in _MANAGED_DRIVERS else None


def needs_installer(config: Document) -> bool:
    """Tell whether the GPUs of a NodeConfig's machines wait for a driver that GKE leaves out."""
    return any(
        managed_driver(accelerator) is None for accelerator in config.get("accelerators", ())
    )


def without_gpus(node: Document) -> Document:
    """Return the ``v1.Node`` as it is before a driver is installed."""
    sizes = {
        field: {
            name: count for name, count in node["status"][field].items() if name != GPU_RESOURCE
        }
        for field in SIZE_FIELDS
    }
    return {**node, "status": {**node["status"], **sizes}}


def nodes_with_driver(pods: Iterable[Document]) -> set[str]:
    """Return the names of the nodes on which a ready pod has run the installer."""
    return {
        pod["spec"]["nodeName"]
        for pod in pods
        if pod["spec"].get("nodeName") and _runs_installer(pod) and _is_ready(pod)
    }


def _runs_installer(pod: Document) -> bool:
    spec = pod["spec"]
    containers = (*(spec.get("initContainers") or ()), *spec["containers"])
    return any(container["image"] == INSTALLER_IMAGE for container in containers)


def _is_ready(pod: Document) -> bool:
    conditions = pod.get("status", {}).get("conditions") or ()
    return any(
        condition["type"] == "Ready" and condition["status"] == "True" for condition in conditions
    )
