"""Editing an exported deployment: what may exist becomes a resource that a refresh looks for.

`pulumi refresh --import-pending-creates` is meant for this and only forgets the creation (engine
3.256: `pendingCreatesToImports` turns it into an operation that nothing reads), and the next `up`
fails with "already exists". A resource with its ID is read by any refresh, which also drops it
when it is not there.
"""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from daskfleet.platform.recovery.resource_ids import resource_id

Document = dict[str, Any]

_CLUSTER = "gcp:container/cluster:Cluster"
_POOL = "gcp:container/nodePool:NodePool"
_PROVIDER_TYPE = "pulumi:providers:"


@dataclass(kw_only=True)
class EditedDeployment:
    """A deployment after the edit, and what was done to it."""

    exported: Document
    """As `pulumi stack import` takes it."""
    candidates: dict[str, str] = field(default_factory=dict)
    """IDs by URN of what may exist; a refresh decides."""
    forgotten: list[str] = field(default_factory=list)
    """URNs of creations whose ID cannot be told, and that are therefore taken as not happened."""

    @property
    def _deployment(self) -> Document:
        deployment: Document = self.exported["deployment"]
        return deployment

    @property
    def resources(self) -> list[Document]:
        """The state's resources."""
        listed: list[Document] = self._deployment.setdefault("resources", [])
        return listed

    def project_of(self, resource: Mapping[str, Any]) -> str | None:
        """Return the Google project of the provider that a resource is made with."""
        urn = str(resource.get("provider", "")).rpartition("::")[0]
        for candidate in self.resources:
            if candidate["urn"] == urn:
                project: str | None = candidate.get("inputs", {}).get("project")
                return project
        return None

    def add(self, resource: Mapping[str, Any]) -> bool:
        """Add a resource that may exist, unless the state has it; return whether it has an ID."""
        if not self._has(str(resource.get("provider", "")).rpartition("::")[0]):
            return False
        project = self.project_of(resource)
        found = resource_id(resource["type"], resource.get("inputs", {}), project=project)
        if found is None:
            return False
        if any(other.get("id") == found and _is_live(other) for other in self.resources):
            return True
        for other in [each for each in self.resources if each["urn"] == resource["urn"]]:
            if other.get("pendingReplacement"):
                self.resources.remove(other)  # deleted already: this is what it is replaced by
            else:
                other["delete"] = True
        outputs = copy.deepcopy(resource.get("inputs", {}))
        self.resources.append({**self._attached(resource), "id": found, "outputs": outputs})
        self.candidates[resource["urn"]] = found
        return True

    def _attached(self, resource: Mapping[str, Any]) -> Document:
        """Leave out references to what the state lacks; the next `up` writes them again."""
        attached = dict(resource)
        for reference in ("parent", "deletedWith"):
            if not self._has(attached.get(reference, "")):
                attached.pop(reference, None)
        attached["dependencies"] = [
            urn for urn in attached.get("dependencies") or [] if self._has(urn)
        ]
        attached["propertyDependencies"] = {
            name: [urn for urn in urns or [] if self._has(urn)]
            for name, urns in (attached.get("propertyDependencies") or {}).items()
        }
        return attached

    def _has(self, urn: str) -> bool:
        return any(each["urn"] == urn for each in self.resources)

    def take_pending_operations(self) -> None:
        """Turn creations of unknown end into candidates; updates and deletions are just repeated.

        An update that was cut off is still in the state with its old inputs, and a deletion with
        its resource: the next `up` or `destroy` does them again.
        """
        for operation in self._deployment.pop("pending_operations", None) or []:
            resource = operation["resource"]
            if operation["type"] in {"creating", "importing"} and not self.add(resource):
                self.forgotten.append(resource["urn"])

    def add_default_pools(self) -> None:
        """Look for the pool that GKE makes with each cluster and that its creation removes last.

        A creation that was cut off between the two leaves it, and nothing else would notice.
        """
        for cluster in [each for each in self.resources if each["type"] == _CLUSTER]:
            inputs = cluster.get("inputs", {})
            if inputs.get("removeDefaultNodePool") and _is_live(cluster):
                self.add(_default_pool(cluster))


def edited(
    exported: Mapping[str, Any], planned: Sequence[Mapping[str, Any]] = ()
) -> EditedDeployment:
    """Return the deployment with everything in it that may exist.

    ``planned``: resources that a preview would create, to be looked for as well.
    """
    result = EditedDeployment(exported=copy.deepcopy(dict(exported)))
    result.exported.setdefault("deployment", {})
    result.take_pending_operations()
    for resource in planned:
        result.add(resource)
    result.add_default_pools()
    return result


def planned_creations(digest: Mapping[str, Any]) -> list[Document]:
    """Return the resources that a `preview --json` would create and that have nothing secret."""
    created = [step["newState"] for step in digest.get("steps", []) if step["op"] == "create"]
    return [
        resource
        for resource in created
        if resource.get("custom")
        and not resource["type"].startswith(_PROVIDER_TYPE)
        and "[secret]" not in str(resource.get("inputs"))
    ]


def _is_live(resource: Mapping[str, Any]) -> bool:
    return not resource.get("delete") and not resource.get("pendingReplacement")


def _default_pool(cluster: Mapping[str, Any]) -> Document:
    """A resource that no program declares, so that the next `up` deletes it."""
    stack = "::".join(cluster["urn"].split("::")[:2])
    inputs = cluster["inputs"]
    place = {name: inputs[name] for name in ("project", "location") if name in inputs}
    return {
        "urn": f"{stack}::{_POOL}::default-pool-of-{inputs['name']}",
        "custom": True,
        "type": _POOL,
        "inputs": {**place, "cluster": inputs["name"], "name": "default-pool"},
        "provider": cluster["provider"],
        "dependencies": [cluster["urn"]],
    }
