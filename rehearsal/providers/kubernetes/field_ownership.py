"""Field managers: who owns which fields of an object under server-side apply.

Objects are created by POST under one shared manager name and updated by server-side apply under
a name of their own, as the real provider does since 4.29. Before the first apply, what the
creation owns must be handed to the object's own manager: else every changed value conflicts with
our own creation, and no field could ever be removed.
"""

import secrets

from rehearsal.providers.kubernetes.annotations import PATCH_FIELD_MANAGER
from rehearsal.providers.kubernetes.manifest import Manifest, annotation

CREATOR = "pulumi-kubernetes"
"""Manager of POSTed objects (pulumi-kubernetes 94977969 `await/await.go`)."""

_PREDECESSORS = frozenset({CREATOR, "kubectl", "before-first-apply", "pulumi-resource-kubernetes"})


def manager_for(inputs: Manifest, *, stored: str | None) -> str:
    """The manager of an object: annotated, else as stored, else a new `pulumi-kubernetes-<hex>`."""
    return annotation(inputs, PATCH_FIELD_MANAGER) or stored or f"{CREATOR}-{secrets.token_hex(4)}"


def handover(live: Manifest, manager: str) -> list[Manifest]:
    """JSON-patch operations that give the creation's fields to `manager`; none when it has them."""
    entries = live["metadata"].get("managedFields") or []
    ours = [entry for entry in entries if _is_predecessor(entry)]
    if not ours:
        return []
    own = next((entry for entry in entries if _is_applied_by(entry, manager)), None)
    fields: Manifest = dict(own["fieldsV1"]) if own else {}
    for entry in ours:
        fields = _union(fields, entry["fieldsV1"])
    merged = {key: value for key, value in ours[0].items() if key not in ("time", "fieldsV1")} | {
        "manager": manager,
        "operation": "Apply",
        "fieldsV1": fields,
    }
    others = [entry for entry in entries if entry is not own and entry not in ours]
    return [
        {"op": "replace", "path": "/metadata/managedFields", "value": [*others, merged]},
        {
            "op": "replace",
            "path": "/metadata/resourceVersion",
            "value": live["metadata"]["resourceVersion"],
        },
    ]


def _is_predecessor(entry: Manifest) -> bool:
    return (
        entry.get("manager") in _PREDECESSORS
        and entry.get("operation") == "Update"
        and not entry.get("subresource")
    )


def _is_applied_by(entry: Manifest, manager: str) -> bool:
    return entry.get("manager") == manager and entry.get("operation") == "Apply"


def _union(one: Manifest, other: Manifest) -> Manifest:
    merged = dict(one)
    for key, value in other.items():
        known = merged.get(key)
        merged[key] = _union(known, value) if isinstance(known, dict) else value
    return merged
