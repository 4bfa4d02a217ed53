"""Pure: who wrote which field of a Kubernetes object, as the API server keeps it."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from daskfleet.platform.drift.model import Path
from daskfleet.pod_status import KubernetesObject

_OURS = re.compile(r"pulumi-kubernetes(-[0-9a-f]{8})?|pulumi-resource-kubernetes|helm")
"""Pulumi creates as the first and updates as the second (pulumi-kubernetes 94977969,
`await/await.go`); a Helm release writes as Helm."""

_CONTROLLERS = re.compile(r"kopf|kube-.*|kubelet|cloud-controller-manager|gke-.*")
"""kopf is the Dask operator where it keeps its notes; the others are Kubernetes and GKE."""

_CONTROLLERS_KEYS = re.compile(
    r"([^/]*\.)?(kubernetes\.io|k8s\.io|x-k8s\.io|gke\.io|cloud\.google\.com|kopf\.zalando\.org)/.*"
    r"|kubernetes\.dask\.org/.*"
)
_PEOPLES_KEYS = re.compile(r"pod-security\.kubernetes\.io/.*")
"""Labels in a controller's domain by which people decide what is allowed."""


@dataclass(frozen=True, kw_only=True)
class Write:
    """One manager's latest write of the fields that it owns."""

    manager: str
    at: datetime | None
    subresource: str

    @property
    def text(self) -> str:
        """Who, through what, and when."""
        through = f" through /{self.subresource}" if self.subresource else ""
        when = f" at {self.at:%Y-%m-%d %H:%M:%S} UTC" if self.at else ""
        return f"field manager {self.manager}{through}{when}"

    @property
    def is_ours(self) -> bool:
        """Whether Pulumi wrote it."""
        return _OURS.fullmatch(self.manager) is not None

    @property
    def is_controllers(self) -> bool:
        """Whether a controller wrote what only controllers write."""
        return self.subresource == "status" or _CONTROLLERS.fullmatch(self.manager) is not None


def writes(live: KubernetesObject, path: Path) -> list[Write]:
    """Return the writes that the value at ``path`` may come from, the newest first."""
    found = [
        _write(entry)
        for entry in live["metadata"].get("managedFields") or []
        if _owns(entry.get("fieldsV1") or {}, path, live)
    ]
    return sorted(found, key=lambda write: str(write.at or ""), reverse=True)


def written_by_others(
    live: KubernetesObject, *, beside: re.Pattern[str] | None = None
) -> Iterator[tuple[Path, Write]]:
    """Return the fields that somebody wrote who is neither Pulumi nor a controller.

    ``beside`` names a manager whose writes are right for this object.
    """
    for entry in live["metadata"].get("managedFields") or []:
        write = _write(entry)
        if write.is_ours or write.is_controllers or (beside and beside.fullmatch(write.manager)):
            continue
        for path in _leaves(entry.get("fieldsV1") or {}, live, ()):
            if not _is_controllers_key(path):
                yield path, write


def first_writer(live: KubernetesObject) -> str:
    """Return the manager that made the object, as far as it can be told; else nothing.

    Times are whole seconds, in which the operator may already have written too; who makes an
    object writes its spec.
    """
    entries = live["metadata"].get("managedFields") or []
    people = [entry for entry in entries if not _write(entry).is_controllers]
    first = min(
        people,
        key=lambda entry: ("f:spec" not in entry["fieldsV1"], str(entry.get("time", ""))),
        default=None,
    )
    return str(first["manager"]) if first else ""


def _write(entry: Mapping[str, Any]) -> Write:
    at = entry.get("time")
    return Write(
        manager=entry.get("manager", "unnamed"),
        at=datetime.fromisoformat(at) if at else None,
        subresource=entry.get("subresource", ""),
    )


def _owns(fields: Mapping[str, Any], path: Path, value: Any) -> bool:
    """Whether a manager's fields hold the value at ``path``, itself or as part of a whole."""
    for part in path:
        if not fields:
            return True  # a leaf here is a whole: a list that is replaced as one, for example
        if isinstance(part, str):
            if f"f:{part}" not in fields:
                return False
            fields = fields[f"f:{part}"]
            value = value.get(part) if isinstance(value, Mapping) else None
        else:
            if not isinstance(value, list) or part >= len(value):
                return False
            value = value[part]
            key = next((key for key in fields if _is_item(key, value)), None)
            if key is None:
                return False
            fields = fields[key]
    return True


def _leaves(fields: Mapping[str, Any], value: Any, path: Path) -> Iterator[Path]:
    for key, below in fields.items():
        if key.startswith("f:"):
            name = key.removeprefix("f:")
            inside = value.get(name) if isinstance(value, Mapping) else None
            step: str | int = name
        elif key != "." and isinstance(value, list):
            index = next((i for i, item in enumerate(value) if _is_item(key, item)), None)
            if index is None:
                continue
            inside, step = value[index], index
        else:
            continue
        if below.keys() - {"."}:
            yield from _leaves(below, inside, (*path, step))
        else:
            yield (*path, step)


def _is_item(key: str, item: Any) -> bool:
    """Whether ``k:{"name":"x"}`` or ``v:"x"`` names this item of a list."""
    if key.startswith("k:") and isinstance(item, Mapping):
        names: Mapping[str, Any] = json.loads(key[2:])
        return all(item.get(name) == value for name, value in names.items())
    return key.startswith("v:") and bool(json.loads(key[2:]) == item)


def _is_controllers_key(path: Path) -> bool:
    """Whether this is a label, annotation or finalizer in a controller's domain, or its status."""
    match path:
        case ("status", *_):
            return True
        case ("metadata", "labels" | "annotations", str(key)):
            return not _PEOPLES_KEYS.fullmatch(key) and bool(_CONTROLLERS_KEYS.fullmatch(key))
        case ("metadata", "finalizers" | "ownerReferences", *_):
            return True
        case _:
            return False
