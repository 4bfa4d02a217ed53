"""Looking at the rehearsed fleet: nodes, Dask pods, namespaces and the platform by UID."""

from collections.abc import Sequence
from typing import Any

from daskfleet.platform.review.rehearsal_run.fleet import Fleet, Part, grouped
from rehearsal.kubernetes_requests import connect, listed
from rehearsal.report.fleet_state import CLUSTER_LABEL, POOL_LABEL, ROLE_LABEL
from rehearsal.supervisor.record import ClusterRecord

OPERATOR = ("app.kubernetes.io/name", "dask-kubernetes-operator")
OURS = ("app.kubernetes.io/part-of", "daskfleet")

Document = dict[str, Any]
"""An object as the Kubernetes API returns it."""


def see(clusters: Sequence[ClusterRecord]) -> Fleet:
    """Read what is there now, but for what is on its way out.

    Raises:
        httpx.HTTPError, OSError: an API server does not answer.
    """
    nodes = [each for cluster in clusters for each in _staying(cluster, "nodes")]
    pods = [each for cluster in clusters for each in _staying(cluster, "pods")]
    namespaces = [each for cluster in clusters for each in _staying(cluster, "namespaces")]
    pool_of = {node["metadata"]["name"]: _labels(node).get(POOL_LABEL, "") for node in nodes}
    return Fleet(
        nodes=grouped((_labels(node).get(POOL_LABEL, ""), _uid(node)) for node in nodes),
        dask_pods=grouped(
            ((pod["metadata"]["namespace"], _labels(pod)[ROLE_LABEL]), _uid(pod))
            for pod in pods
            if CLUSTER_LABEL in _labels(pod)
        ),
        namespaces=grouped((each["metadata"]["name"], _uid(each)) for each in namespaces),
        platform=grouped(
            ((part, pool_of.get(pod["spec"].get("nodeName", ""), "")), _uid(pod))
            for pod in pods
            if (part := _part(_labels(pod)))
        ),
    )


def _staying(cluster: ClusterRecord, kind: str) -> list[Document]:
    with connect(cluster.kubeconfig) as client:
        return [
            each for each in listed(client, kind) if "deletionTimestamp" not in each["metadata"]
        ]


def _labels(document: Document) -> dict[str, str]:
    return document["metadata"].get("labels") or {}


def _uid(document: Document) -> tuple[str]:
    return (document["metadata"]["uid"],)


def _part(labels: dict[str, str]) -> Part | None:
    if OPERATOR in labels.items():
        return "operator"
    return "driver installer" if OURS in labels.items() and CLUSTER_LABEL not in labels else None
