"""Reading the cluster once for the report; the only part of the report that talks to it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rehearsal.dask_operator.pod import OPERATOR_LABEL, ready_operator_pod
from rehearsal.emulator.gpu_driver import INSTALLER_IMAGE
from rehearsal.kubernetes_requests import connect, listed
from rehearsal.report.fleet_state import KubernetesObject, Node, Pod, node_of, pod_of
from rehearsal.supervisor.record import ClusterRecord


@dataclass(frozen=True, kw_only=True)
class Observation:
    """Everything in the cluster that the claims are about, at one moment."""

    nodes: Mapping[str, Node]
    pods: tuple[Pod, ...]
    drivers: tuple[KubernetesObject, ...]
    """The DaemonSets that install a driver."""
    operator_is_deployed: bool
    network_policies: tuple[KubernetesObject, ...] = ()
    namespaces: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Labels of each namespace."""


def observe(cluster: ClusterRecord) -> Observation:
    """Read nodes, pods, the drivers' DaemonSets, and who may talk to whom.

    Raises:
        httpx.HTTPError, OSError: the API server does not answer.

    """
    with connect(cluster.kubeconfig) as client:
        nodes = [node_of(document) for document in listed(client, "nodes")]
        operators = listed(client, "pods", labels=OPERATOR_LABEL)
        daemon_sets = listed(client, "daemonsets", version="apps/v1")
        return Observation(
            nodes={node.name: node for node in nodes},
            pods=tuple(pod_of(document) for document in listed(client, "pods")),
            drivers=tuple(filter(_installs_a_driver, daemon_sets)),
            operator_is_deployed=ready_operator_pod(operators) is not None,
            network_policies=tuple(
                listed(client, "networkpolicies", version="networking.k8s.io/v1")
            ),
            namespaces={
                each["metadata"]["name"]: each["metadata"].get("labels", {})
                for each in listed(client, "namespaces")
            },
        )


def _installs_a_driver(daemon_set: KubernetesObject) -> bool:
    first = daemon_set["spec"]["template"]["spec"].get("initContainers", [])
    return any(container["image"] == INSTALLER_IMAGE for container in first)
