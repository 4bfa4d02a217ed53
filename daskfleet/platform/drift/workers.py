"""Pure: the number of a declared DaskCluster's workers, from the cluster down to Deployments."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from daskfleet.contract.dask import GROUP_LABEL
from daskfleet.planning.changes.property_path import path_text
from daskfleet.platform.drift.attribution import REPLICAS
from daskfleet.platform.drift.compare import value_at
from daskfleet.platform.drift.field_managers import writes
from daskfleet.platform.drift.model import Difference, Owner, Severity
from daskfleet.platform.drift.remedies import scale
from daskfleet.platform.drift.snapshot import (
    DASK_AUTOSCALER,
    DASK_WORKER_GROUP,
    DEPLOYMENT,
    Snapshot,
    place,
)
from daskfleet.pod_status import KubernetesObject, label
from in_cluster.idle_controller.note import asleep

OPERATORS_CLIENT = re.compile(r"kr8s")
"""The operator creates and scales through kr8s, and so do users of dask_kubernetes."""

_HANDLED = "kopf.zalando.org/last-handled-configuration"


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """Between which the operator moves an adaptive cluster's workers."""

    minimum: int
    maximum: int


def worker_differences(
    cluster: KubernetesObject, snapshot: Snapshot, *, bounds: Bounds | None = None
) -> Iterator[Difference]:
    """Compare the number of workers that the cluster asks for with what the operator holds.

    Between its ``bounds`` an adaptive cluster's number is right whatever it is.
    """
    name, namespace = cluster["metadata"]["name"], cluster["metadata"]["namespace"]
    group = snapshot.find(DASK_WORKER_GROUP, f"{name}-default", namespace)
    if group is None:
        return
    wanted, held = value_at(cluster, REPLICAS), value_at(group, REPLICAS)
    title = f"DaskWorkerGroup {place(group)}"
    for live in (cluster, group):
        handled = _last_handled(live)
        if handled not in (None, value_at(live, REPLICAS)):
            yield _not_followed(live, handled)
            return
    note = asleep(group)
    sleeps = note is not None and note.declared == wanted
    if bounds is not None:
        if not bounds.minimum <= held <= bounds.maximum:
            yield _out_of_bounds(title, held, bounds)
    elif wanted != held and not sleeps:
        yield _resized(title, group, wanted=wanted, held=held, snapshot=snapshot)
    yield from group_differences(group, snapshot)


def group_differences(group: KubernetesObject, snapshot: Snapshot) -> Iterator[Difference]:
    """Compare the number of workers that a group asks for with what the operator holds."""
    namespace, held = group["metadata"]["namespace"], value_at(group, REPLICAS)
    title = f"DaskWorkerGroup {place(group)}"
    found = len(deployments_of(group, snapshot))
    if found != held:
        group_name = group["metadata"]["name"]
        to_found = scale("daskworkergroup", group_name, namespace, found)
        to_held = scale("daskworkergroup", group_name, namespace, held)
        yield Difference(
            severity=Severity.GONE if found < held else Severity.CHANGED,
            resource=f"Deployments of {title}",
            field="number",
            declared=held,
            found=found,
            owner=Owner.SOMEBODY if found < held else Owner.OPERATOR,
            evidence="the operator does not restore a worker Deployment that was deleted"
            if found < held
            else "the operator retires surplus workers only when the scheduler answers it",
            remedy=f"The operator counts when the number changes: `{to_found}`, then `{to_held}`.",
        )


def _out_of_bounds(title: str, held: int, bounds: Bounds) -> Difference:
    return Difference(
        severity=Severity.CHANGED,
        resource=title,
        field=path_text(REPLICAS),
        declared=f"{bounds.minimum} to {bounds.maximum}",
        found=held,
        owner=Owner.DASK_AUTOSCALER,
        evidence="the operator brings it between the bounds, down by a quarter at a time",
        remedy="Wait some minutes. If it stays so, the scheduler is not ready, or does not "
        "answer the operator: `daskfleet verify` tells.",
    )


def _last_handled(live: KubernetesObject) -> int | None:
    """Return the number that the operator has acted on, as kopf notes it."""
    noted = (live["metadata"].get("annotations") or {}).get(_HANDLED)
    return value_at(json.loads(noted), REPLICAS) if noted else None


def _not_followed(live: KubernetesObject, handled: int | None) -> Difference:
    return Difference(
        severity=Severity.CHANGED,
        resource=f"{live['kind']} {place(live)}",
        field="workers",
        declared=value_at(live, REPLICAS),
        found=handled,
        owner=Owner.OPERATOR,
        evidence="the operator has not acted on the new number yet",
        remedy="Wait a moment. If it stays so, check that the operator runs: "
        "`kubectl get pods --all-namespaces --selector app.kubernetes.io/name="
        "dask-kubernetes-operator`.",
    )


def _resized(
    title: str, group: KubernetesObject, *, wanted: int, held: int, snapshot: Snapshot
) -> Difference:
    namespace, cluster_name = group["metadata"]["namespace"], group["spec"]["cluster"]
    newest = next(iter(writes(group, REPLICAS)), None)
    evidence = newest.text if newest else "no field manager claims it"
    autoscaler = next(
        (
            each
            for each in snapshot.of(DASK_AUTOSCALER)
            if each["metadata"]["namespace"] == namespace
            and each["spec"]["cluster"] == cluster_name
        ),
        None,
    )
    if autoscaler is not None:
        owner = Owner.DASK_AUTOSCALER
        evidence = f"DaskAutoscaler {place(autoscaler)} moves it; {evidence}"
        remedy = f"`kubectl delete daskautoscaler {autoscaler['metadata']['name']} "
        remedy += f"--namespace {namespace}`, then "
    else:
        owner = Owner.USER_SCALE
        if newest and OPERATORS_CLIENT.fullmatch(newest.manager):
            evidence += (
                ", as `scale()` of dask_kubernetes does, which also deletes the cluster's "
                "DaskAutoscaler if it has one"
            )
        remedy = ""
    name = group["metadata"]["name"]
    return Difference(
        severity=Severity.CHANGED,
        resource=title,
        field=path_text(REPLICAS),
        declared=wanted,
        found=held,
        owner=owner,
        evidence=evidence,
        remedy=f"To keep it, set the team's `workers: {held}` in the stack file and run "
        f"`pulumi up`. To take it back: {remedy}"
        f"`{scale('daskworkergroup', name, namespace, wanted)}`. Until then `pulumi up` fails: "
        f"it waits for {wanted} workers.",
    )


def deployments_of(group: KubernetesObject, snapshot: Snapshot) -> list[KubernetesObject]:
    """Return the Deployments, one a worker, that the operator holds for a group."""
    return _deployments(group["metadata"]["name"], group["metadata"]["namespace"], snapshot)


def worker_deployments(cluster: KubernetesObject, snapshot: Snapshot) -> list[KubernetesObject]:
    """Return the same for the group that the operator makes with a cluster."""
    metadata = cluster["metadata"]
    return _deployments(f"{metadata['name']}-default", metadata["namespace"], snapshot)


def _deployments(group: str, namespace: str, snapshot: Snapshot) -> list[KubernetesObject]:
    return [
        each
        for each in snapshot.of(DEPLOYMENT)
        if each["metadata"]["namespace"] == namespace
        and label(each, GROUP_LABEL) == group
        and "deletionTimestamp" not in each["metadata"]
    ]
