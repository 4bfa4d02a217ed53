"""Reading the cluster once for the report; the only part of the report that talks to it."""

from collections.abc import Mapping
from dataclasses import dataclass

import kr8s

from rehearsal.dask_operator.pod import OPERATOR_LABEL, ready_operator_pod
from rehearsal.kubernetes_client import connect_blocking
from rehearsal.report.fleet_state import KubernetesObject, Node, Pod, node_of, pod_of
from rehearsal.supervisor.record import ClusterRecord

DRIVER_DAEMON_SET = "nvidia-driver-installer"


@dataclass(frozen=True, kw_only=True)
class Observation:
    """Everything in the cluster that the claims are about, at one moment."""

    nodes: Mapping[str, Node]
    pods: tuple[Pod, ...]
    driver: KubernetesObject | None
    """The driver's DaemonSet, where there is one."""
    operator_is_deployed: bool


def observe(cluster: ClusterRecord) -> Observation:
    """Read nodes, pods and the driver's DaemonSet.

    Raises:
        httpx.HTTPError, kr8s.APITimeoutError: the API server does not answer.

    """
    api = connect_blocking(cluster.kubeconfig)

    def documents(kind: str, *, fields: str = "", labels: str = "") -> list[KubernetesObject]:
        found = api.get(kind, namespace=kr8s.ALL, field_selector=fields, label_selector=labels)
        return [item.raw for item in found if not isinstance(item, dict)]

    nodes = [node_of(document) for document in documents("nodes")]
    drivers = documents("daemonsets", fields=f"metadata.name={DRIVER_DAEMON_SET}")
    operators = documents("pods", labels=OPERATOR_LABEL)
    return Observation(
        nodes={node.name: node for node in nodes},
        pods=tuple(pod_of(document) for document in documents("pods")),
        driver=drivers[0] if drivers else None,
        operator_is_deployed=ready_operator_pod(operators) is not None,
    )
