"""Pure: declared Google resources against what a refresh has read."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from daskfleet.planning.changes.property_path import parts_of, path_text
from daskfleet.planning.changes.rules import UnclassifiedError, direction_of, row_of
from daskfleet.platform.drift.attribution import is_gkes
from daskfleet.platform.drift.compare import Change, value_at
from daskfleet.platform.drift.model import Difference, Owner, Severity
from daskfleet.platform.drift.remedies import CREATE_AGAIN, SEEN_ONLY_BY_REFRESH, google_audit_query
from daskfleet.platform.drift.state import PulumiResource

CLUSTER_TYPE = "gcp:container/cluster:Cluster"
POOL_TYPE = "gcp:container/nodePool:NodePool"


@dataclass(frozen=True, kw_only=True)
class Reading:
    """A resource as the state has it, and as Google's API answered."""

    resource: PulumiResource
    exists: bool = True
    inputs: dict[str, Any] = field(default_factory=dict)
    """The declared inputs with live values."""
    outputs: dict[str, Any] = field(default_factory=dict)
    changed: Mapping[str, bool] = field(default_factory=dict)
    """Paths that differ in the provider's judgement, which knows what is only another spelling,
    and in the program's, which ignores some; each with whether putting it back replaces."""


def google_differences(readings: Sequence[Reading]) -> Iterator[Difference]:
    """Compare what is declared on Google Cloud with what is there."""
    for reading in readings:
        if not reading.exists:
            yield _gone(reading.resource)
            continue
        for path, replaces in reading.changed.items():
            change = _change_at(path, reading)
            if not is_gkes(change.path, reading.resource.inputs):
                yield _changed(reading.resource, change, replaces=replaces)
        if reading.resource.type == CLUSTER_TYPE:
            yield from _unknown_pools(reading, readings)


def is_cluster_gone(readings: Sequence[Reading]) -> bool:
    """Whether there is no cluster left whose objects could be compared."""
    return any(not each.exists and each.resource.type == CLUSTER_TYPE for each in readings)


def _change_at(path: str, reading: Reading) -> Change:
    parts = parts_of(path)
    declared = value_at(reading.resource.inputs, parts)
    found = value_at(reading.inputs, parts)
    return Change(
        path=parts,
        declared=declared,
        found=value_at(reading.outputs, parts) if found == declared else found,
    )


def _gone(resource: PulumiResource) -> Difference:
    return Difference(
        severity=Severity.GONE,
        resource=resource.title,
        declared="exists",
        owner=Owner.GOOGLE_CLOUD_USER,
        evidence=f"Google's API has no {resource.id}, and GKE deletes none by itself",
        remedy=f"{CREATE_AGAIN}; {SEEN_ONLY_BY_REFRESH}.",
        ask=google_audit_query(resource.id),
    )


def _changed(resource: PulumiResource, change: Change, *, replaces: bool) -> Difference:
    effect = _what_that_does(resource, change, replaces=replaces)
    return Difference(
        severity=Severity.CHANGED,
        resource=resource.title,
        field=path_text(change.path),
        declared=change.declared,
        found=change.found,
        owner=Owner.GOOGLE_CLOUD_USER,
        evidence="by console, gcloud or another program: neither the autoscaler nor GKE changes "
        "this by itself",
        remedy=f"`pulumi up --refresh` puts it back{effect}; look at `pulumi preview "
        "--refresh --diff` first. To keep it, change the stack file.",
        ask=google_audit_query(resource.id),
    )


def _what_that_does(resource: PulumiResource, change: Change, *, replaces: bool) -> str:
    """Quote the change classes: putting a value back is a change like any other."""
    try:
        row = row_of(
            resource.type,
            path_text(change.path),
            name=resource.urn.rpartition("::")[2],
            operation="replace" if replaces else "update",
            direction=direction_of(change.found, change.declared),
        )
    except (UnclassifiedError, ValueError):
        return " by a replacement" if replaces else ""
    return f" ({row.change_class.value}: {row.what.rstrip('.')})"


def _unknown_pools(cluster: Reading, readings: Sequence[Reading]) -> Iterator[Difference]:
    known = {
        each.resource.inputs.get("name")
        for each in readings
        if each.resource.type == POOL_TYPE and each.exists
    }
    for pool in cluster.outputs.get("nodePools") or []:
        name = pool["name"]
        if name in known:
            continue
        project, location = (cluster.resource.id.split("/") + [""] * 4)[1:4:2]
        yield Difference(
            severity=Severity.UNKNOWN,
            resource=f"NodePool {name}",
            found="exists",
            owner=Owner.GOOGLE_CLOUD_USER,
            evidence=f"it is in cluster {cluster.resource.inputs['name']} and not in the state",
            remedy="It costs money, and pods without a required pool may be placed on it. Pulumi "
            "leaves it alone until the cluster is deleted: `gcloud container node-pools delete "
            f"{name} --cluster "
            f"{cluster.resource.inputs['name']} --location {location} --project {project}`.",
            ask=google_audit_query(f"{cluster.resource.id}/nodePools/{name}"),
        )
