"""Pure: a further group of a team's workers, as a DaskWorkerGroup beside the DaskCluster."""

from typing import Any

from daskfleet.contract.dask import CLUSTER_LABEL, DASK_API, PART_OF, PART_OF_LABEL
from daskfleet.planning.plan import TeamPlan, WorkerGroup
from manifests.dask_tls import worker_with_tls
from manifests.dask_worker_pod import worker_pod

DaskWorkerGroupManifest = dict[str, Any]
"""A ``kubernetes.dask.org/v1`` DaskWorkerGroup."""

KIND = "DaskWorkerGroup"

REPLACE_ON = ("metadata.labels", "spec.cluster", "spec.worker.spec")
"""Everything but ``spec.worker.replicas``; see ``dask_cluster.REPLACE_ON``."""


def worker_group_manifest(
    plan: TeamPlan, group: WorkerGroup, *, cluster: str
) -> DaskWorkerGroupManifest:
    """Describe a group of workers of the Dask cluster ``cluster``."""
    return {
        "apiVersion": DASK_API,
        "kind": KIND,
        "metadata": {
            "name": group_name(cluster, group),
            "namespace": plan.team.name,
            # The operator copies these to the workers, as it does those of a DaskCluster.
            "labels": {
                **plan.team.labels,
                CLUSTER_LABEL: cluster,
                PART_OF_LABEL: PART_OF,
            },
        },
        "spec": {
            "cluster": cluster,
            "worker": {
                "replicas": group.workers,
                "spec": worker_with_tls(worker_pod(plan, group), plan.team, cluster_name=cluster),
            },
        },
    }


def group_name(cluster: str, group: WorkerGroup) -> str:
    """Return the name of a group's DaskWorkerGroup, which is a label of its workers."""
    return f"{cluster}-{group.name}"
