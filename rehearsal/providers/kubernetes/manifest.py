"""Reading Kubernetes objects as the documents that they are."""

from typing import Any, TypeAlias

Manifest: TypeAlias = dict[str, Any]
"""One Kubernetes object (apiVersion, kind, metadata, ...), as JSON."""

AUTONAMED = "pulumi.com/autonamed"
"""Annotation on objects whose name the provider chose (pulumi-kubernetes `metadata`)."""


def lookup(document: Any, *keys: str) -> Any:
    """The value below nested keys, None where the way ends."""
    for key in keys:
        if not isinstance(document, dict):
            return None
        document = document.get(key)
    return document


def annotation(manifest: Manifest, key: str) -> str | None:
    """An annotation's text, None when it is absent or not yet known."""
    value = lookup(manifest, "metadata", "annotations", key)
    return value if isinstance(value, str) else None


def label_selector(labels: dict[str, str]) -> str:
    """Equality labels in the form of the `labelSelector` query parameter."""
    return ",".join(f"{key}={value}" for key, value in sorted(labels.items()))


def object_id(manifest: Manifest) -> str:
    """Pulumi's id of an object: `namespace/name`, or `name` when it has no namespace."""
    namespace = lookup(manifest, "metadata", "namespace")
    name = manifest["metadata"]["name"]
    return f"{namespace}/{name}" if namespace else str(name)


def parse_id(resource_id: str) -> tuple[str | None, str]:
    """Namespace (None when there is none) and name of a Pulumi id."""
    namespace, _, name = resource_id.rpartition("/")
    return namespace or None, name
