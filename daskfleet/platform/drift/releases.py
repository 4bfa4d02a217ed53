"""Pure: what Helm releases made, which Pulumi's state only names."""

from collections.abc import Iterator

from daskfleet.planning.changes.property_path import path_text
from daskfleet.platform.drift.compare import value_at
from daskfleet.platform.drift.field_managers import written_by_others
from daskfleet.platform.drift.model import Difference, Owner, Severity
from daskfleet.platform.drift.presentable import presentable
from daskfleet.platform.drift.snapshot import Kind, Snapshot
from daskfleet.platform.drift.state import PulumiResource


def made_by(release: PulumiResource) -> Iterator[tuple[Kind, str]]:
    """Return kind and name of each object of a release.

    The provider writes ``Deployment.apps/apps/v1: [namespace/name]``, and no namespace where it
    is the release's own (pulumi-kubernetes 94977969, `helm_release.go`).
    """
    for key, names in (release.outputs.get("resourceNames") or {}).items():
        group_kind, _, api_version = key.partition("/")
        kind = Kind(api_version, group_kind.partition(".")[0])
        for name in names:
            yield kind, name.rpartition("/")[2]


def release_differences(release: PulumiResource, snapshot: Snapshot) -> Iterator[Difference]:
    """Look whether what a release made is there and untouched."""
    name, namespace = release.inputs["name"], release.inputs["namespace"]
    again = (
        f"`helm rollback {name} $(helm history {name} --namespace {namespace} --max 1 "
        f"--output json | jq '.[0].revision') --namespace {namespace}` makes it as it was"
    )
    for kind, object_name in made_by(release):
        title = f"{kind.name} {object_name} (Helm release {name})"
        live = next(
            (each for each in snapshot.of(kind) if each["metadata"]["name"] == object_name), None
        )
        if live is None:
            yield Difference(
                severity=Severity.GONE,
                resource=title,
                declared="exists",
                owner=Owner.SOMEBODY,
                evidence="the release made it, but it is not in the API server",
                remedy=f"No `pulumi up` sees it. {again}.",
            )
            continue
        for path, write in written_by_others(live):
            yield Difference(
                severity=Severity.CHANGED,
                resource=title,
                field=path_text(path),
                declared="as the chart has it",
                found=presentable(value_at(live, path), path),
                owner=Owner.HAND,
                evidence=write.text,
                remedy=f"No `pulumi up` sees it. {again}.",
            )
