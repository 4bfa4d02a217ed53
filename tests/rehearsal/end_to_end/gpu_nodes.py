"""What the GPU nodes of a fleet have loaded, and in which order nodes came and went."""

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus

from rehearsal.emulator.gpu_driver import INSTALLER_IMAGE, LOADED_DRIVER
from rehearsal.report.fleet_state import ACCELERATOR_LABEL, POOL_LABEL
from rehearsal.report.requests import Mark, lines_since
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal
from tests.rehearsal.kr8s_client import connect_blocking


@dataclass(frozen=True, kw_only=True)
class GpuNode:
    """A node with GPUs."""

    name: str
    pool: str
    driver: str | None
    """The driver that is loaded."""

    installers: tuple[str, ...]
    """The driver of each installer on it."""


def gpu_nodes(fleet: RunningRehearsal) -> dict[str, GpuNode]:
    """Every node with GPUs by its UID."""
    api = connect_blocking(fleet.cluster.kubeconfig)
    nodes = [each.raw for each in api.get("nodes") if not isinstance(each, dict)]
    pods = [
        each.raw for each in api.get("pods", namespace="kube-system") if not isinstance(each, dict)
    ]
    return {
        node["metadata"]["uid"]: GpuNode(
            name=node["metadata"]["name"],
            pool=node["metadata"]["labels"][POOL_LABEL],
            driver=node["metadata"].get("annotations", {}).get(LOADED_DRIVER),
            installers=tuple(
                version
                for pod in pods
                if pod["spec"].get("nodeName") == node["metadata"]["name"]
                for version in installed_by(pod["spec"])
            ),
        )
        for node in nodes
        if ACCELERATOR_LABEL in node["metadata"]["labels"]
    }


def installed_by(pod_spec: Mapping[str, list[dict[str, object]]]) -> list[str]:
    """The driver that a pod installs, if it does."""
    return [
        str(env["value"])
        for container in pod_spec.get("initContainers", [])
        if container["image"] == INSTALLER_IMAGE
        for env in container["env"]  # type: ignore[attr-defined]
        if env["name"] == "NVIDIA_DRIVER_VERSION"
    ]


def comings_and_goings(mark: Mark, pools: Mapping[str, str]) -> list[tuple[str, str]]:
    """Which verb hit a node of which pool, in the order of the API server's audit log.

    ``pools`` has the pool by the part of a node's name that is its own.
    """
    events = [
        (event["verb"], event.get("objectRef", {}).get("name", ""))
        for event in lines_since(mark)
        if event.get("objectRef", {}).get("resource") == "nodes"
        and not event["objectRef"].get("subresource")
        and event["verb"] in ("create", "delete")
        and event["responseStatus"]["code"] < HTTPStatus.BAD_REQUEST
    ]
    return [
        (verb, pool) for verb, name in events for part, pool in pools.items() if f"-{part}-" in name
    ]
