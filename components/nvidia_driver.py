"""The NVIDIA driver on the nodes of all GPU pools."""

from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes
import yaml
from pulumi import ResourceOptions

from components.kubernetes_provider import KubernetesProvider
from daskfleet.checkout import SOURCE_DIR
from daskfleet.contract.nodes import DRIVER_VERSION_VARIABLE
from daskfleet.planning.registry import pause_image
from daskfleet.settings.software import DaemonSetDriver
from daskfleet.settings.stack import Stack

MANIFEST = SOURCE_DIR / "manifests" / "nvidia-driver-installer.yaml"


class NvidiaDriver(pulumi.ComponentResource):
    """The installer DaemonSet, or nothing when GKE installs the driver.

    Another version reaches new nodes only: a loaded driver cannot be replaced, so the installers
    on old nodes stay as they are until GKE has re-created the nodes (``driver_roll``).

    Owns the DaemonSet only: not ``kube-system``, in which it must live, and not the device
    plugin, which GKE runs on every GPU node; a second one beside it is a conflict.
    """

    TYPE = "daskfleet:gke:NvidiaDriver"

    def __init__(
        self,
        name: str,
        *,
        stack: Stack,
        via: KubernetesProvider,
        opts: ResourceOptions | None = None,
    ) -> None:
        """Install on GPU nodes as they come.

        Does not wait for the pools: a zone that is out of one GPU must not keep the driver from
        the nodes of the others.
        """
        super().__init__(self.TYPE, name, None, opts)
        if isinstance(stack.driver, DaemonSetDriver):
            manifest = installer_manifest(stack.driver, pause=pause_image(stack).reference)
            kubernetes.apps.v1.DaemonSet(
                f"{name}-installer",
                metadata=manifest["metadata"],
                spec=manifest["spec"],
                opts=via.options(parent=self),
            )
        self.register_outputs({})


def installer_manifest(driver: DaemonSetDriver, *, pause: str) -> dict[str, Any]:
    """Read the DaemonSet, and name the driver that it installs and where ``pause`` comes from."""
    manifest: dict[str, Any] = yaml.safe_load(MANIFEST.read_text(encoding="utf-8"))
    pod = manifest["spec"]["template"]["spec"]
    (installer,), (keeper,) = pod["initContainers"], pod["containers"]
    (version,) = (env for env in installer["env"] if env["name"] == DRIVER_VERSION_VARIABLE)
    version["value"] = driver.version
    keeper["image"] = pause
    return manifest
