"""Pure: Dask in the cluster that nobody declared."""

from collections.abc import Collection, Iterator

from drift.field_managers import first_writer
from drift.model import Difference, Owner, Severity
from drift.snapshot import (
    DASK_AUTOSCALER,
    DASK_CLUSTER,
    DASK_JOB,
    DASK_WORKER_GROUP,
    KubernetesObject,
    Snapshot,
    place,
)

Place = tuple[str, str]
"""Namespace and name."""


def unknown_dask(
    declared: Collection[Place],
    snapshot: Snapshot,
    *,
    adaptive: Collection[Place] = (),
    own: Collection[str] = (),
) -> Iterator[Difference]:
    """Find Dask objects beside the DaskClusters that are ``declared``.

    An ``adaptive`` cluster has a DaskAutoscaler of its name; in namespaces of teams with clusters
    of their ``own`` there may be any.
    """
    for cluster in snapshot.of(DASK_CLUSTER):
        metadata = cluster["metadata"]
        place_of = (metadata["namespace"], metadata["name"])
        if place_of not in declared and metadata["namespace"] not in own:
            yield from _unknown_cluster(cluster)
    yield from _unknown_helpers(declared, snapshot, adaptive, own)


def _unknown_cluster(cluster: KubernetesObject) -> Iterator[Difference]:
    owners = cluster["metadata"].get("ownerReferences") or []
    if any(owner["kind"] == DASK_JOB.name for owner in owners):
        return  # the job is reported
    yield _unknown("DaskCluster", cluster, "It takes GPUs that the teams' clusters count on.")


def _unknown_helpers(
    declared: Collection[Place],
    snapshot: Snapshot,
    adaptive: Collection[Place],
    own: Collection[str],
) -> Iterator[Difference]:
    for job in snapshot.of(DASK_JOB):
        yield _unknown("DaskJob", job, "It brings a Dask cluster of its own.")
    for autoscaler in snapshot.of(DASK_AUTOSCALER):
        metadata = autoscaler["metadata"]
        of_cluster = (metadata["namespace"], autoscaler["spec"]["cluster"])
        is_own = metadata["namespace"] in own and of_cluster not in declared
        if (metadata["namespace"], metadata["name"]) not in adaptive and not is_own:
            yield _unknown("DaskAutoscaler", autoscaler, "It moves the number of workers.")
    for group in snapshot.of(DASK_WORKER_GROUP):
        namespace, cluster = group["metadata"]["namespace"], group["spec"]["cluster"]
        is_default = group["metadata"]["name"] == f"{cluster}-default"
        if (namespace, cluster) in declared and not is_default:
            yield _unknown(
                "DaskWorkerGroup", group, "Its workers go when the declared ones are scaled down."
            )


def _unknown(kind: str, live: KubernetesObject, meaning: str) -> Difference:
    metadata = live["metadata"]
    maker = first_writer(live)
    by = f" by field manager {maker}" if maker else ""
    return Difference(
        severity=Severity.UNKNOWN,
        resource=f"{kind} {place(live)}",
        found="exists",
        owner=Owner.HAND,
        evidence=f"created at {metadata['creationTimestamp']}{by}",
        remedy=f"{meaning} Ask who made it, then `kubectl delete {kind.lower()} "
        f"{metadata['name']} --namespace {metadata['namespace']}`; Pulumi leaves it alone.",
    )
