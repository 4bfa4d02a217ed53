"""Who installs a node's NVIDIA driver, and where it is installed. Pure.

Without a driver GKE's device plugin finds no device, so the kubelet does not know of any
``nvidia.com/gpu``: neither capacity nor allocatable names it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rehearsal.emulator.document import Document

GPU_RESOURCE = "nvidia.com/gpu"
SIZE_FIELDS = ("capacity", "allocatable")
INSTALLER_IMAGE = "cos-nvidia-installer:fixed"
"""On GPU nodes of Container-Optimized OS only, and on all of them. Nothing but Google's installer
manifests runs it (GoogleCloudPlatform/container-engine-accelerators, nvidia-driver-installer/cos).
"""

LOADED_DRIVER = "cloud.google.com/cuda.driver-version.full"
"""In which GKE's device plugin can publish the loaded driver; here it always does."""

_VERSION_ARGUMENT = re.compile(r"--version=([0-9.]+|latest|default)")
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


def installer_version(pod: Document) -> str | None:
    """Return the driver that a pod installs; None for a pod that installs none.

    It is named as our manifest does, or as Google's do: in an argument of the installer.
    """
    for container in _containers(pod):
        if container["image"] == INSTALLER_IMAGE:
            named = (env.get("value") for env in container.get("env") or () if _is_version(env))
            words = " ".join((*container.get("command", ()), *container.get("args", ())))
            argument = _VERSION_ARGUMENT.search(words)
            return next(named, None) or (argument[1] if argument else "latest")
    return None


def was_refused(pod: Document) -> bool:
    """Tell whether ``refused_status`` has been written."""
    statuses = pod["status"].get("initContainerStatuses") or ()
    return any("waiting" in status.get("state", {}) for status in statuses)


def installed_status(pod: Document, *, at: str) -> Document:
    """Return the status of an installer's pod that has done its work."""
    conditions = ("PodReadyToStartContainers", "Initialized", "ContainersReady", "Ready")
    over = {"exitCode": 0, "reason": "Completed", "startedAt": at, "finishedAt": at}
    return {
        "phase": "Running",
        "startTime": at,
        "conditions": [
            {"type": kind, "status": "True", "lastTransitionTime": at} for kind in conditions
        ],
        "initContainerStatuses": [
            _container_status(container, ready=True, state={"terminated": over})
            for container in pod["spec"].get("initContainers") or ()
        ],
        "containerStatuses": [
            _container_status(container, ready=True, state={"running": {"startedAt": at}})
            for container in pod["spec"]["containers"]
        ],
    }


def refused_status(pod: Document, *, loaded: str, version: str) -> Document:
    """Return the status of an installer's pod that found another driver in use."""
    waiting = {
        "reason": "CrashLoopBackOff",
        "message": f"NVIDIA driver {loaded} is loaded and in use, {version} is wanted.",
    }
    return {
        "initContainerStatuses": [
            _container_status(container, ready=False, state={"waiting": waiting})
            for container in pod["spec"].get("initContainers") or ()
        ]
    }


def _container_status(container: Document, *, ready: bool, state: Document) -> Document:
    return {
        "name": container["name"],
        "image": container["image"],
        "imageID": "",
        "ready": ready,
        "restartCount": 0,
        "state": state,
    }


def _containers(pod: Document) -> tuple[Document, ...]:
    spec = pod["spec"]
    return (*(spec.get("initContainers") or ()), *spec["containers"])


def _is_version(env: Document) -> bool:
    return bool(env["name"] == "NVIDIA_DRIVER_VERSION")
