"""Pure: which ConfigMaps and Secrets a pod refers to, and what they hold."""

import base64
from collections.abc import Iterator
from typing import Any

from rehearsal.dask_pods.model import Document

CONFIG_MAP_KEYS = frozenset({"configMap", "configMapRef", "configMapKeyRef"})
SECRET_KEYS = frozenset({"secret", "secretRef", "secretKeyRef"})


def referenced(pod: Document) -> tuple[frozenset[str], frozenset[str]]:
    """Return the names of ConfigMaps and of Secrets: of volumes, ``env`` and ``envFrom``."""
    spec = pod["spec"]
    containers = (*spec.get("initContainers", ()), *spec["containers"])
    sources: list[Document] = list(spec.get("volumes", ()))
    for volume in spec.get("volumes", ()):
        sources += volume.get("projected", {}).get("sources", ())
    for container in containers:
        sources += container.get("envFrom", ())
        sources += (v["valueFrom"] for v in container.get("env", ()) if v.get("valueFrom"))
    return (
        frozenset(_names(sources, CONFIG_MAP_KEYS)),
        frozenset(_names(sources, SECRET_KEYS)),
    )


def _names(sources: list[Document], keys: frozenset[str]) -> Iterator[str]:
    for source in sources:
        for key in keys & source.keys():
            # A volume says secretName where every other reference says name.
            if name := source[key].get("name") or source[key].get("secretName"):
                yield name


def config_map_data(document: dict[str, Any]) -> dict[str, bytes]:
    """Return what a ConfigMap holds."""
    texts = {key: text.encode() for key, text in (document.get("data") or {}).items()}
    return texts | _decoded(document.get("binaryData"))


def secret_data(document: dict[str, Any]) -> dict[str, bytes]:
    """Return what a Secret holds."""
    return _decoded(document.get("data"))


def _decoded(data: dict[str, str] | None) -> dict[str, bytes]:
    return {key: base64.b64decode(text) for key, text in (data or {}).items()}
