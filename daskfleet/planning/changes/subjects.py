"""Whose resource is it? Answered by the component that owns it."""

from daskfleet.planning.changes.consequence import Subject, SubjectKind
from daskfleet.planning.changes.resource_change import ResourceChange

SUBJECT_KINDS: dict[str, SubjectKind] = {
    "daskfleet:dask:DaskAutoscaler": "team",
    "daskfleet:dask:DaskCluster": "team",
    "daskfleet:dask:DaskOperator": "operator",
    "daskfleet:dask:EphemeralClusters": "team",
    "daskfleet:dask:GpuHealth": "gpu-health",
    "daskfleet:dask:IdleController": "idle-controller",
    "daskfleet:dask:InternalAddress": "team",
    "daskfleet:dask:Jupyter": "team",
    "daskfleet:dask:OperatorRights": "operator",
    "daskfleet:dask:Team": "team",
    "daskfleet:dask:TeamTls": "team",
    "daskfleet:dask:TeamMonitoring": "team",
    "daskfleet:dask:TeamNotice": "team",
    "daskfleet:gke:GkeCluster": "cluster",
    "daskfleet:gke:ImagePrepull": "images",
    "daskfleet:gke:KubernetesProvider": "access",
    "daskfleet:gke:Network": "network",
    "daskfleet:gke:NodePool": "pool",
    "daskfleet:gke:NodeServiceAccount": "node-account",
    "daskfleet:gke:NvidiaDriver": "driver",
    "daskfleet:gke:TeamBuckets": "team",
}
"""By the type token of the component; a test compares them with what the program registers."""


def subject_of(change: ResourceChange) -> Subject:
    """The team, the pool or the part of the platform that a resource belongs to."""
    kind = SUBJECT_KINDS.get(change.parent_type, "access")
    return Subject(kind=kind, name=change.parent if kind in {"team", "pool"} else kind)
