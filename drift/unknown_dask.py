"""Pure: Dask in the cluster that nobody declared."""

from collections.abc import Iterator

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


def unknown_dask(
    declared: set[tuple[str, str]], snapshot: Snapshot, *, groups: set[tuple[str, str]]
) -> Iterator[Difference]:
    """Find Dask objects beside the DaskClusters and worker groups that are declared.

    Both are known by namespace and name.
    """
    for cluster in snapshot.of(DASK_CLUSTER):
        metadata = cluster["metadata"]
        if (metadata["namespace"], metadata["name"]) not in declared:
            yield from _unknown_cluster(cluster)
    yield from _unknown_helpers(declared, snapshot, groups)


def _unknown_cluster(cluster: KubernetesObject) -> Iterator[Difference]:
    owners = cluster["metadata"].get("ownerReferences") or []
    if any(owner["kind"] == DASK_JOB.name for owner in owners):
        return  # the job is reported
    yield _unknown("DaskCluster", cluster, "It takes GPUs that the teams' clusters count on.")


def _unknown_helpers(
    declared: set[tuple[str, str]], snapshot: Snapshot, groups: set[tuple[str, str]]
) -> Iterator[Difference]:
    for job in snapshot.of(DASK_JOB):
        yield _unknown("DaskJob", job, "It brings a Dask cluster of its own.")
    for autoscaler in snapshot.of(DASK_AUTOSCALER):
        yield _unknown("DaskAutoscaler", autoscaler, "It moves the number of workers.")
    for group in snapshot.of(DASK_WORKER_GROUP):
        namespace, cluster = group["metadata"]["namespace"], group["spec"]["cluster"]
        name = group["metadata"]["name"]
        is_ours = name == f"{cluster}-default" or (namespace, name) in groups
        if (namespace, cluster) in declared and not is_ours:
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
