"""Pure: Dask in the cluster that nobody declared."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from daskfleet.platform.drift.field_managers import first_writer
from daskfleet.platform.drift.model import Difference, Owner, Severity
from daskfleet.platform.drift.snapshot import (
    DASK_AUTOSCALER,
    DASK_CLUSTER,
    DASK_JOB,
    DASK_WORKER_GROUP,
    Snapshot,
    place,
)
from daskfleet.pod_status import KubernetesObject

Place = tuple[str, str]
"""Namespace and name."""


@dataclass(frozen=True, kw_only=True)
class DeclaredDask:
    """What is declared, and where members may have more."""

    clusters: Collection[Place]
    groups: Collection[Place]
    adaptive: Collection[Place]
    """Clusters that have a DaskAutoscaler of their name."""

    own: Collection[str]
    """Namespaces in which members may make clusters of their own."""


def unknown_dask(declared: DeclaredDask, snapshot: Snapshot) -> Iterator[Difference]:
    """Find Dask objects beside those that are known."""
    for cluster in snapshot.of(DASK_CLUSTER):
        metadata = cluster["metadata"]
        place_of = (metadata["namespace"], metadata["name"])
        if place_of not in declared.clusters and metadata["namespace"] not in declared.own:
            yield from _unknown_cluster(cluster)
    yield from _unknown_helpers(declared, snapshot)


def _unknown_cluster(cluster: KubernetesObject) -> Iterator[Difference]:
    owners = cluster["metadata"].get("ownerReferences") or []
    if any(owner["kind"] == DASK_JOB.name for owner in owners):
        return  # the job is reported
    yield _unknown("DaskCluster", cluster, "It takes GPUs that the teams' clusters count on.")


def _unknown_helpers(declared: DeclaredDask, snapshot: Snapshot) -> Iterator[Difference]:
    for job in snapshot.of(DASK_JOB):
        yield _unknown("DaskJob", job, "It brings a Dask cluster of its own.")
    for autoscaler in snapshot.of(DASK_AUTOSCALER):
        metadata = autoscaler["metadata"]
        of_cluster = (metadata["namespace"], autoscaler["spec"]["cluster"])
        is_own = metadata["namespace"] in declared.own and of_cluster not in declared.clusters
        if (metadata["namespace"], metadata["name"]) not in declared.adaptive and not is_own:
            yield _unknown("DaskAutoscaler", autoscaler, "It moves the number of workers.")
    for group in snapshot.of(DASK_WORKER_GROUP):
        namespace, cluster = group["metadata"]["namespace"], group["spec"]["cluster"]
        name = group["metadata"]["name"]
        is_ours = name == f"{cluster}-default" or (namespace, name) in declared.groups
        if (namespace, cluster) in declared.clusters and not is_ours:
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
