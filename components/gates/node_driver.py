"""Pure: which NVIDIA driver a pod finds on its node.

Told by the installer on the node, which stays there for as long as the node lives. Labels cannot
tell: they change on nodes that go on with the driver that they have loaded.
"""

from collections.abc import Iterable, Mapping

from daskfleet.contract.nodes import DRIVER_VERSION_VARIABLE, INSTALLER_NAME
from daskfleet.pod_status import KubernetesObject

INSTALLER_LABELS = {"app.kubernetes.io/name": INSTALLER_NAME}


def drivers_by_node(installers: Iterable[KubernetesObject]) -> dict[str, str]:
    """Return the version that each node's installer loads."""
    return {
        pod["spec"]["nodeName"]: variable["value"]
        for pod in installers
        if pod["spec"].get("nodeName")
        for container in pod["spec"].get("initContainers", ())
        for variable in container.get("env", ())
        if variable["name"] == DRIVER_VERSION_VARIABLE
    }


def other_driver(
    pod: KubernetesObject, *, declared: str | None, drivers: Mapping[str, str]
) -> str | None:
    """Say which driver a pod's node has, if it is not the declared one."""
    node = pod["spec"].get("nodeName")
    driver = drivers.get(node) if node else None
    if declared is None or driver in {None, declared}:
        return None
    return (
        f"its node {node} has driver {driver} and {declared} is declared. A node keeps its driver: "
        "drain it and delete its VM, and GKE makes a new one"
    )
