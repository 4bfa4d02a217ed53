"""Pure: a team's DaskCluster, as the operator's schema wants it.

That schema embeds the PodSpec of Kubernetes 1.21 without ``int-or-string``: quantities are
strings, and the ports of probes and Services are names. A field that the schema does not know
is an error under server-side apply, and so is a null.
"""

from typing import Any

from daskfleet.contract.dask import (
    CLUSTER_LABEL,
    COMM_PORT,
    COMPONENT_LABEL,
    DASHBOARD_PORT,
    DASK_API,
    NO_SCHEDULER_GPU,
    PART_OF,
    PART_OF_LABEL,
)
from daskfleet.planning.plan import TeamPlan
from daskfleet.settings.pools import NO_ACCELERATOR
from manifests.dask_scheduler_pod import scheduler_pod
from manifests.dask_tls import scheduler_with_tls, worker_with_tls
from manifests.dask_worker_pod import worker_pod

DaskClusterManifest = dict[str, Any]
"""A ``kubernetes.dask.org/v1`` DaskCluster."""

KIND = "DaskCluster"


def dask_cluster_manifest(plan: TeamPlan, *, name: str) -> DaskClusterManifest:
    """Describe a team's Dask cluster under a name; ``dask_generation`` knows which."""
    return {
        "apiVersion": DASK_API,
        "kind": KIND,
        "metadata": {
            "name": name,
            "namespace": plan.team.name,
            # The operator copies these to every object that it makes, pods included.
            "labels": {
                **plan.team.labels,
                CLUSTER_LABEL: name,
                PART_OF_LABEL: PART_OF,
            },
            **_annotations(plan),
        },
        "spec": {
            "idleTimeout": 0,  # anything else lets the operator delete the cluster
            "scheduler": {
                "spec": scheduler_with_tls(scheduler_pod(plan), plan.team),
                "service": {
                    "type": "ClusterIP",
                    "selector": scheduler_selector(name),
                    "ports": service_ports(),
                },
            },
            "worker": {
                "replicas": plan.team.minimum_workers,
                "spec": worker_with_tls(
                    worker_pod(plan, plan.first_group), plan.team, cluster_name=name
                ),
            },
        },
    }


def _annotations(plan: TeamPlan) -> dict[str, dict[str, str]]:
    """Why there is no GPU for the scheduler; a policy asks. Nothing for one that has a GPU."""
    if plan.scheduler.gpus:
        return {}
    return {"annotations": {NO_SCHEDULER_GPU: f"scheduler_pool.accelerator: {NO_ACCELERATOR}"}}


def scheduler_selector(cluster_name: str) -> dict[str, str]:
    """Labels that the operator puts on the scheduler's pod."""
    return {CLUSTER_LABEL: cluster_name, COMPONENT_LABEL: "scheduler"}


def service_ports() -> list[dict[str, Any]]:
    """The scheduler's two ports; the operator finds them by these names."""
    return [
        {"name": "tcp-comm", "protocol": "TCP", "port": COMM_PORT, "targetPort": "tcp-comm"},
        {
            "name": "http-dashboard",
            "protocol": "TCP",
            "port": DASHBOARD_PORT,
            "targetPort": "http-dashboard",
        },
    ]
