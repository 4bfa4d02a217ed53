"""Pure: a Dask cluster of a member's own, by the same declaration as the team's fixed one."""

from daskfleet.contract.dask import PART_OF_LABEL
from daskfleet.contract.own_clusters import IDLE_TIMEOUT_S
from daskfleet.planning.plan import TeamPlan
from manifests.dask_manifest import DaskClusterManifest, dask_cluster_manifest


def default_name(plan: TeamPlan) -> str:
    """Return a name that the fixed cluster never has, with rollout ``blue-green`` neither."""
    return f"{plan.team.name}-own"


def make_cluster_spec(
    plan: TeamPlan, *, name: str, workers: int = 1, idle_timeout_s: int = IDLE_TIMEOUT_S
) -> DaskClusterManifest:
    """Return a spec for ``dask_kubernetes.operator.KubeCluster(custom_cluster_spec=...)``.

    Image, flags, resources, affinities and tolerations are the fixed cluster's. What says that an
    object is this program's is left out: the program would take such a cluster for the leftover of
    a roll, and delete it. Annotations are for the program's own policies; members may write none.
    """
    manifest = dask_cluster_manifest(plan, name=name)
    metadata = {k: v for k, v in manifest["metadata"].items() if k != "annotations"}
    labels = {k: v for k, v in metadata["labels"].items() if k != PART_OF_LABEL}
    return {
        **manifest,
        "metadata": {**metadata, "labels": labels},
        "spec": {
            **manifest["spec"],
            "idleTimeout": idle_timeout_s,
            "worker": {**manifest["spec"]["worker"], "replicas": workers},
        },
    }
