"""Pure: what a member chooses of an own Dask cluster; all else is as the team's template has it.

The API server is given the template and compares. A key that the template does not have is a
difference as well: what Kubernetes or the operator will know one day is refused until it is wanted.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from manifests.cel import Value, literal
from manifests.dask_manifest import DaskClusterManifest

NAME = "<name>"
"""Stands for the cluster's name in a template; no label, pool or path can be called so."""

Chosen: TypeAlias = "Mapping[str, Chosen | None]"
"""Keys that are not simply the template's: a member's own, or objects of which a part is."""

_KUBERNETES: Chosen = dict.fromkeys(
    (
        *("namespace", "uid", "resourceVersion", "generation", "creationTimestamp"),
        *("managedFields", "annotations", "finalizers", "ownerReferences"),
        *("deletionTimestamp", "deletionGracePeriodSeconds"),
    )
)
"""Keys of ``metadata`` that the API server writes, or that are judged for every kind alike."""

_CONTAINER: Chosen = {
    "image": None,
    "args": None,
    "env": None,
    "resources": {"requests": {"cpu": None, "memory": None}, "limits": {"memory": None}},
}
_POD: Chosen = {"containers": _CONTAINER}
CHOSEN: Chosen = {
    "metadata": {"name": None, "labels": {}, **_KUBERNETES},
    "spec": {
        "idleTimeout": None,
        "scheduler": {"service": {}, "spec": _POD},
        "worker": {"replicas": None, "spec": _POD},
    },
    "status": None,
}
"""What ``daskfleet cluster-spec`` has options for, and what runs inside of a container."""


@dataclass(frozen=True, kw_only=True)
class Level:
    """One object of a DaskCluster, of which every key has to be known."""

    path: str
    """For people: ``spec.worker.spec``."""
    expression: str
    """The object in CEL; an empty one where there is none."""
    fixed: Mapping[str, Value]
    """Keys with their values in the template."""
    chosen: Sequence[str]
    """Keys that are judged elsewhere: by a bound of their own, or as a level of their own."""


def levels(template: DaskClusterManifest) -> Iterator[Level]:
    """Take a template apart, which has ``NAME`` for its name."""
    return _levels(template, CHOSEN, path="", expression="optional.of(object)")


def _levels(
    value: Mapping[str, Value], chosen: Chosen, *, path: str, expression: str
) -> Iterator[Level]:
    yield Level(
        path=path,
        expression=f"{expression}.orValue({{}})",
        fixed={k: v for k, v in value.items() if k not in chosen},
        chosen=tuple(chosen),
    )
    for key, below in chosen.items():
        if below is None:
            continue
        inner, index = value[key], ""
        if isinstance(inner, list):
            (inner,), index = inner, "[0]"
        if not isinstance(inner, Mapping):
            raise TypeError(f"{path}.{key} of a template is no object.")
        yield from _levels(
            inner,
            below,
            path=f"{path}.{key}{index}".removeprefix("."),
            expression=f"{expression}.?{key}{index.replace('[', '[?')}",
        )


def levels_expression(template: DaskClusterManifest) -> str:
    """Give all levels as a list in CEL, of maps with ``path``, ``is``, ``fixed`` and ``chosen``."""
    holes = {NAME: "string(object.metadata.name)"}
    return "[" + ", ".join(_level_expression(each, holes) for each in levels(template)) + "]"


def _level_expression(level: Level, holes: Mapping[str, str]) -> str:
    prefix = f"{level.path}." if level.path else ""
    return (
        f'{{"path": dyn({literal(prefix, holes={})}), "is": dyn({level.expression}), '
        f'"fixed": dyn({literal(level.fixed, holes=holes)}), '
        f'"chosen": dyn({literal(level.chosen, holes={})})}}'
    )


DIFFERENCES = (
    "variables.levels.map(l, "
    "(l.is.filter(k, !(k in l.chosen) && !(k in l.fixed && l.is[k] == l.fixed[k])) + "
    "l.fixed.filter(k, !(k in l.is))).map(k, l.path + k))"
    ".filter(l, size(l) > 0).map(l, l.join(', ')).join(', ')"
)
"""In CEL, from ``levels``: the paths that are more, less or other than the template's; or ''."""
