"""Pure: the environment of one container, by the rules of the kubelet.

``envFrom`` first, then ``env`` in its order; a value sees what came before it as ``$(NAME)``
(pkg/kubelet/kubelet_pods.go, ``makeEnvironmentVariables``).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rehearsal.dask_pods.model import Document, Mounted, PodPlace
from rehearsal.dask_pods.pod_fields import container_resource, pod_field

_REFERENCE = re.compile(r"\$(?:\$|\((?P<name>[^)]*)\))")


class ConfigError(Exception):
    """The container cannot be given what it asks for; the kubelet's words say why."""


@dataclass(frozen=True, kw_only=True)
class Variables:
    """A container's environment, and which of it must not be shown."""

    values: Mapping[str, str]
    secret: frozenset[str] = frozenset()
    """Names whose values hold something of a Secret."""

    @property
    def shown(self) -> dict[str, str]:
        """The environment without what came from Secrets."""
        return {name: value for name, value in self.values.items() if name not in self.secret}


def expand(text: str, values: Mapping[str, str]) -> str:
    """Replace ``$(NAME)``; ``$$`` is a ``$``, and a reference to nothing known stays as it is."""

    def known(match: re.Match[str]) -> str:
        name = match["name"]
        return "$" if name is None else values.get(name, match[0])

    return _REFERENCE.sub(known, text)


def variables_of(
    pod: Document, container: Document, *, place: PodPlace, mounted: Mounted
) -> Variables:
    """Give a container's environment. Raises ConfigError as the kubelet would refuse."""
    found = _Found(namespace=pod["metadata"]["namespace"], mounted=mounted)
    for source in container.get("envFrom", ()):
        found.take_all(source)
    for variable in container.get("env", ()):
        name, source = variable["name"], variable.get("valueFrom")
        if variable.get("value") or source is None:
            found.expand(name, variable.get("value", ""))
        elif "fieldRef" in source:
            found.values[name] = _pod_field(source["fieldRef"]["fieldPath"], pod, place)
        elif "resourceFieldRef" in source:
            found.values[name] = container_resource(source["resourceFieldRef"], container)
        else:
            found.take_key(name, source)
    return Variables(values=found.values, secret=frozenset(found.secret & set(found.values)))


def _pod_field(path: str, pod: Document, place: PodPlace) -> str:
    value = pod_field(path, pod, place)
    if value is None:
        raise ConfigError(f"unsupported fieldPath: {path}")
    return value


@dataclass(kw_only=True)
class _Found:
    """What is known of an environment so far."""

    namespace: str
    mounted: Mounted
    values: dict[str, str] = field(default_factory=dict)
    secret: set[str] = field(default_factory=set)

    def expand(self, name: str, text: str) -> None:
        self.values[name] = expand(text, self.values)
        references = {match["name"] for match in _REFERENCE.finditer(text)}
        self._mark(name, is_secret=bool(references & self.secret))

    def take_all(self, source: Mapping[str, Any]) -> None:
        prefix = source.get("prefix", "")
        is_secret = "secretRef" in source
        reference = source["secretRef" if is_secret else "configMapRef"]
        data = self._object(reference, is_secret=is_secret)
        for key, value in _texts(data or {}):
            self.values[prefix + key] = value
            self._mark(prefix + key, is_secret=is_secret)

    def take_key(self, name: str, source: Mapping[str, Any]) -> None:
        is_secret = "secretKeyRef" in source
        reference = source.get("secretKeyRef" if is_secret else "configMapKeyRef")
        if reference is None:
            raise ConfigError(f"env {name}: no such source here: {', '.join(source)}")
        data = self._object(reference, is_secret=is_secret)
        if data is None:
            return
        key = reference["key"]
        if key not in data:
            if reference.get("optional"):
                return
            kind = "Secret" if is_secret else "ConfigMap"
            raise ConfigError(
                f"couldn't find key {key} in {kind} {self.namespace}/{reference['name']}"
            )
        self.values[name] = data[key].decode("utf-8", "replace")
        self._mark(name, is_secret=is_secret)

    def _object(
        self, reference: Mapping[str, Any], *, is_secret: bool
    ) -> Mapping[str, bytes] | None:
        objects = self.mounted.secrets if is_secret else self.mounted.config_maps
        data = objects.get(reference["name"])
        if data is None and not reference.get("optional"):
            kind = "secret" if is_secret else "configmap"
            raise ConfigError(f'{kind} "{reference["name"]}" not found')
        return data

    def _mark(self, name: str, *, is_secret: bool) -> None:
        (self.secret.add if is_secret else self.secret.discard)(name)


def _texts(data: Mapping[str, bytes]) -> Iterator[tuple[str, str]]:
    for key in sorted(data):
        yield key, data[key].decode("utf-8", "replace")
