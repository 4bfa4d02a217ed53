"""Pure: declared objects in the cluster against live ones."""

from collections.abc import Iterator, Sequence
from typing import Any

from daskfleet.planning.changes.property_path import path_text
from daskfleet.platform.drift.attribution import (
    REPLICAS,
    Attribution,
    owner_of_absence,
    owner_of_change,
    owner_of_write,
)
from daskfleet.platform.drift.compare import Change, changes, value_at
from daskfleet.platform.drift.field_managers import writes, written_by_others
from daskfleet.platform.drift.model import Difference, Owner, Path, Severity
from daskfleet.platform.drift.presentable import presentable
from daskfleet.platform.drift.remedies import (
    CREATE_AGAIN,
    FORCED_UP,
    SEEN_ONLY_BY_REFRESH,
    delete_cluster_audit_query,
    put_back,
)
from daskfleet.platform.drift.snapshot import DASK_WORKER_GROUP, Kind, Snapshot
from daskfleet.platform.drift.state import PulumiResource
from daskfleet.pod_status import KubernetesObject

IDLE_TIMEOUT: Path = ("spec", "idleTimeout")
_BOOKKEEPING = frozenset({"apiVersion", "kind"})


def object_differences(resource: PulumiResource, snapshot: Snapshot) -> Iterator[Difference]:
    """Compare one declared object with the one that exists."""
    metadata = resource.inputs["metadata"]
    live = snapshot.find(kind_of(resource), metadata["name"], metadata.get("namespace"))
    if live is None:
        yield _absent(resource)
    elif since := live["metadata"].get("deletionTimestamp"):
        yield _going(resource, live, since)
    else:
        differing = list(_changed_fields(resource, live))
        for change in differing:
            yield _changed(resource, change, owner_of_change(change, live), snapshot)
        yield from _written(resource, live, beside=[change.path for change in differing])


def kind_of(resource: PulumiResource) -> Kind:
    """Return the kind of a declared object, which its type also tells."""
    return Kind(resource.inputs["apiVersion"], resource.inputs["kind"])


def _absent(resource: PulumiResource) -> Difference:
    owner = owner_of_absence(resource.type, resource.outputs)
    return _lost(resource, None, owner, f"{CREATE_AGAIN}; {SEEN_ONLY_BY_REFRESH}.")


def _going(resource: PulumiResource, live: KubernetesObject, since: str) -> Difference:
    waits_for = ", ".join(live["metadata"].get("finalizers") or ["its dependents"])
    owner = owner_of_absence(resource.type, live).owner
    remedy = (
        "A deletion cannot be undone. If it hangs, check that the Dask operator runs. When it is "
        f"done, {CREATE_AGAIN}."
    )
    evidence = Attribution(owner=owner, evidence=f"waits for {waits_for}")
    return _lost(resource, f"has been in deletion since {since}", evidence, remedy)


def _lost(
    resource: PulumiResource, found: str | None, owner: Attribution, remedy: str
) -> Difference:
    ask = ""
    if owner.owner is Owner.SOMEBODY_OR_IDLE:
        metadata = resource.inputs["metadata"]
        ask = delete_cluster_audit_query(metadata["name"], metadata["namespace"])
        remedy += " In the audit log, the operator's service account means an idle timeout."
    return Difference(
        severity=Severity.GONE,
        resource=resource.title,
        declared="exists",
        found=found,
        owner=owner.owner,
        evidence=owner.evidence,
        remedy=remedy,
        ask=ask,
    )


def _changed_fields(resource: PulumiResource, live: KubernetesObject) -> Iterator[Change]:
    for change in changes(resource.inputs, live):
        if change.path[0] not in _BOOKKEEPING and not str(change.path[0]).startswith("__"):
            yield change


def _changed(
    resource: PulumiResource, change: Change, owner: Attribution, snapshot: Snapshot
) -> Difference:
    if change.path == REPLICAS:
        evidence = f"{owner.evidence}{_when_followed(resource, change, snapshot)}"
        owner = Attribution(owner=owner.owner, evidence=evidence)
    idles = change.path == IDLE_TIMEOUT and bool(change.found)
    return _difference(
        resource,
        change,
        owner,
        severity=Severity.GONE if idles else Severity.CHANGED,
        remedy=_remedy(resource, change),
    )


def _when_followed(resource: PulumiResource, change: Change, snapshot: Snapshot) -> str:
    """Say when the operator acted: of a write through /scale the API server keeps no time."""
    metadata = resource.inputs["metadata"]
    group = snapshot.find(DASK_WORKER_GROUP, f"{metadata['name']}-default", metadata["namespace"])
    if group is None or value_at(group, REPLICAS) != change.found:
        return ""
    followed = next((write.at for write in writes(group, REPLICAS) if write.at), None)
    return f"; the operator followed at {followed:%Y-%m-%d %H:%M:%S} UTC" if followed else ""


def _written(
    resource: PulumiResource, live: KubernetesObject, *, beside: Sequence[Path]
) -> Iterator[Difference]:
    """Find what others set that is not declared, and what they set to what is declared."""
    for path, write in written_by_others(live):
        if any(path[: len(known)] == known[: len(path)] for known in beside):
            continue
        found = value_at(live, path)
        declared = value_at(resource.inputs, path)
        change = Change(path=path, declared=declared, found=found)
        owner = owner_of_write(write, path)
        if declared is None and found not in (None, {}, []):
            remedy = f"Pulumi removes only what it set: `{_edit(resource)}`."
            yield _difference(resource, change, owner, severity=Severity.CHANGED, remedy=remedy)
        elif declared is not None:
            yield _difference(
                resource,
                change,
                owner,
                severity=Severity.INFORMATION,
                remedy="As declared. But the API server refuses Pulumi's next change of this "
                f"field, unless it is made with `{FORCED_UP}`.",
            )


def _remedy(resource: PulumiResource, change: Change) -> str:
    if resource.kind != "DaskCluster":
        return f"`{FORCED_UP}` puts it back; {SEEN_ONLY_BY_REFRESH}."
    if change.path == REPLICAS:
        return (
            f"To keep it, set the team's `workers: {change.found}` in the stack file. Either way "
            f"`{FORCED_UP}`; {SEEN_ONLY_BY_REFRESH}, and fails because it waits for "
            f"{change.declared} workers."
        )
    if change.path == IDLE_TIMEOUT:
        return (
            f"The operator deletes the cluster once it has been idle for {change.found} s. Put "
            f"{change.declared} back at once: `{_edit(resource)}`."
        )
    return (
        "The operator does not act on this change: the pods run what is declared. Put it back with "
        f"`{_edit(resource)}`; `pulumi up --refresh` would replace the cluster and its pods."
    )


def _edit(resource: PulumiResource) -> str:
    return put_back(resource.title, resource.inputs["metadata"].get("namespace", ""))


def _difference(
    resource: PulumiResource,
    change: Change,
    owner: Attribution,
    *,
    severity: Severity,
    remedy: str,
) -> Difference:
    shown: dict[str, Any] = {
        "declared": presentable(change.declared, change.path),
        "found": presentable(change.found, change.path),
    }
    return Difference(
        severity=severity,
        resource=resource.title,
        field=path_text(change.path),
        owner=owner.owner,
        evidence=owner.evidence,
        remedy=remedy,
        **shown,
    )
