"""Pure: what a pod refers to, so that it can be read before it starts."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rehearsal.dask_pods.model import Document


@dataclass(frozen=True, kw_only=True)
class Needs:
    """Names of objects in the pod's namespace, optional ones included."""

    config_maps: frozenset[str]
    secrets: frozenset[str]
    pull_secrets: frozenset[str]
    claims: frozenset[str]
    """PersistentVolumeClaims."""
    audiences: frozenset[str]
    """Of tokens of the pod's service account; "" is the API server's own."""


def needs_of(pod: Document) -> Needs:
    """Find every reference in environment and volumes."""
    sources = tuple(_sources(pod))
    return Needs(
        config_maps=frozenset(name for kind, name in sources if kind == "configMap"),
        secrets=frozenset(name for kind, name in sources if kind == "secret"),
        pull_secrets=frozenset(each["name"] for each in pod["spec"].get("imagePullSecrets", ())),
        claims=frozenset(
            volume["persistentVolumeClaim"]["claimName"]
            for volume in _volumes(pod)
            if "persistentVolumeClaim" in volume
        ),
        audiences=frozenset(
            source["serviceAccountToken"].get("audience", "")
            for volume in _volumes(pod)
            for source in _projected(volume)
            if "serviceAccountToken" in source
        ),
    )


def _volumes(pod: Document) -> Sequence[Document]:
    volumes: Sequence[Document] = pod["spec"].get("volumes", ())
    return volumes


def _projected(volume: Document) -> Sequence[Document]:
    sources: Sequence[Document] = volume.get("projected", {}).get("sources", ())
    return sources


def _sources(pod: Document) -> Iterator[tuple[str, str]]:
    spec = pod["spec"]
    for container in (*spec.get("initContainers", ()), *spec["containers"]):
        for source in container.get("envFrom", ()):
            yield from _named(source, "configMapRef", "secretRef")
        for variable in container.get("env", ()):
            yield from _named(variable.get("valueFrom", {}), "configMapKeyRef", "secretKeyRef")
    for volume in _volumes(pod):
        for source in (volume, *_projected(volume)):
            yield from _named(source, "configMap", "secret")


def _named(source: Mapping[str, Any], config_map: str, secret: str) -> Iterator[tuple[str, str]]:
    for key, kind in ((config_map, "configMap"), (secret, "secret")):
        if key in source:
            # A volume says secretName where every other reference says name.
            yield kind, source[key].get("secretName") or source[key]["name"]
