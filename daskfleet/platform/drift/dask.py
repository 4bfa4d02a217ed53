"""Pure: what the Dask operator has made of the declared clusters, and Dask that nobody declared."""

import re
from collections.abc import Iterator, Sequence

from daskfleet.planning.changes.property_path import path_text
from daskfleet.platform.drift.attribution import REPLICAS
from daskfleet.platform.drift.compare import value_at
from daskfleet.platform.drift.field_managers import writes, written_by_others
from daskfleet.platform.drift.model import Difference, Owner, Path, Severity
from daskfleet.platform.drift.objects import kind_of
from daskfleet.platform.drift.presentable import presentable
from daskfleet.platform.drift.remedies import scale
from daskfleet.platform.drift.snapshot import (
    DASK_AUTOSCALER,
    DASK_CLUSTER,
    DASK_WORKER_GROUP,
    DEPLOYMENT,
    SERVICE,
    Kind,
    Snapshot,
    place,
)
from daskfleet.platform.drift.state import PulumiResource
from daskfleet.platform.drift.unknown_dask import DeclaredDask, unknown_dask
from daskfleet.platform.drift.workers import (
    OPERATORS_CLIENT,
    Bounds,
    deployments_of,
    group_differences,
    worker_deployments,
    worker_differences,
)
from daskfleet.pod_status import KubernetesObject
from in_cluster.idle_controller.note import MANAGER

POD_COUNT: Path = ("spec", "replicas")
ROLE = Kind("rbac.authorization.k8s.io/v1", "Role")
OWN_CLUSTERS = "ephemeral-clusters"
"""Name of the role that lets a team's members make Dask clusters of their own."""

AS_MADE = "as the operator made it"
_NOT_MADE_YET = ("", "Created")
"""Phases in which the operator is still to create a cluster's objects."""

CONTROLLERS = re.compile(f"{OPERATORS_CLIENT.pattern}|{MANAGER}")
"""The operator, and what lets the workers of teams sleep and notes it."""


def dask_differences(objects: Sequence[PulumiResource], snapshot: Snapshot) -> Iterator[Difference]:
    """Look at what belongs to the declared DaskClusters, and at all other Dask objects."""
    declared, groups = (_named(objects, kind) for kind in (DASK_CLUSTER, DASK_WORKER_GROUP))
    bounds = {
        (resource.inputs["metadata"]["namespace"], resource.inputs["spec"]["cluster"]): Bounds(
            minimum=int(resource.inputs["spec"]["minimum"]),
            maximum=int(resource.inputs["spec"]["maximum"]),
        )
        for resource in objects
        if kind_of(resource) == DASK_AUTOSCALER
    }
    own = {namespace for namespace, name in _named(objects, ROLE) if name == OWN_CLUSTERS}
    for cluster in snapshot.of(DASK_CLUSTER):
        metadata = cluster["metadata"]
        place_of = (metadata["namespace"], metadata["name"])
        if place_of in declared and "deletionTimestamp" not in metadata:
            yield from _children(cluster, snapshot)
            yield from worker_differences(cluster, snapshot, bounds=bounds.get(place_of))
    for group in snapshot.of(DASK_WORKER_GROUP):
        metadata = group["metadata"]
        is_declared = (metadata["namespace"], metadata["name"]) in groups
        if is_declared and "deletionTimestamp" not in metadata:
            yield from group_differences(group, snapshot)
            for worker in deployments_of(group, snapshot):
                yield from _edited(f"Deployment {place(worker)}", worker)
    yield from unknown_dask(
        DeclaredDask(clusters=declared, groups=groups, adaptive=frozenset(bounds), own=own),
        snapshot,
    )


def _named(objects: Sequence[PulumiResource], kind: Kind) -> set[tuple[str, str]]:
    """Return namespace and name of what is declared of a kind."""
    return {
        (resource.inputs["metadata"]["namespace"], resource.inputs["metadata"]["name"])
        for resource in objects
        if kind_of(resource) == kind
    }


def _children(cluster: KubernetesObject, snapshot: Snapshot) -> Iterator[Difference]:
    name, namespace = cluster["metadata"]["name"], cluster["metadata"]["namespace"]
    phase = (cluster.get("status") or {}).get("phase", "")
    for kind, child in (
        (DEPLOYMENT, f"{name}-scheduler"),
        (SERVICE, f"{name}-scheduler"),
        (DASK_WORKER_GROUP, f"{name}-default"),
    ):
        live = snapshot.find(kind, child, namespace)
        if live is None:
            is_coming = phase in _NOT_MADE_YET
            yield Difference(
                severity=Severity.GONE,
                resource=f"{kind.name} {namespace}/{child}",
                declared="exists",
                owner=Owner.OPERATOR if is_coming else Owner.SOMEBODY,
                evidence=f"the operator has not made it yet (phase {phase or 'none'})"
                if is_coming
                else f"the operator made it with DaskCluster {name}, and does not restore it",
                remedy="`pulumi up` makes the operator create it.",
            )
        else:
            yield from _edited(f"{kind.name} {namespace}/{child}", live)
    for worker in worker_deployments(cluster, snapshot):
        yield from _edited(f"Deployment {place(worker)}", worker)


def _edited(title: str, live: KubernetesObject) -> Iterator[Difference]:
    """Find what others than the operator wrote into an object that it made."""
    kind, _, where = title.partition(" ")
    namespace, _, name = where.partition("/")
    blind = "Neither the operator nor Pulumi sees it"
    if kind == "Deployment" and live["spec"].get("replicas") != 1:
        by = next(
            (w for w in writes(live, POD_COUNT) if not OPERATORS_CLIENT.match(w.manager)), None
        )
        yield Difference(
            severity=Severity.CHANGED,
            resource=title,
            field=path_text(POD_COUNT),
            declared=1,
            found=live["spec"].get("replicas"),
            owner=Owner.HAND if by else Owner.NOT_RECORDED,
            evidence=by.text
            if by
            else "the operator makes one pod each; the API server keeps no "
            "field manager for it, as after `kubectl scale`",
            remedy=f"{blind}: `{scale(kind, name, namespace, 1)}`.",
        )
    undo = (
        f"kubectl rollout undo deployment {name} --namespace {namespace}"
        if kind == "Deployment"
        else f"kubectl edit {kind.lower()} {name} --namespace {namespace}"
    )
    for path, write in written_by_others(live, beside=CONTROLLERS):
        if path in (REPLICAS, POD_COUNT):
            continue  # judged by the number
        yield Difference(
            severity=Severity.CHANGED,
            resource=title,
            field=path_text(path),
            declared=AS_MADE,
            found=presentable(value_at(live, path), path),
            owner=Owner.HAND,
            evidence=write.text,
            remedy=f"{blind}: `{undo}`.",
        )
