"""A team's namespace has a GPU quota, and defaults for pods that state no resources."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from daskfleet.contract.nodes import GPU_RESOURCE
from policies.declared import Declared, at, dask_clusters, may_be, may_have, of_kind
from policies.rule import NoParameters, Rule, Violation

QUOTA = f"requests.{GPU_RESOURCE}"
DEFAULTS = {"defaultRequest": ("cpu", "memory"), "default": ("memory",)}


def _check(fleet: Sequence[Declared], parameters: NoParameters) -> Iterator[Violation]:
    del parameters
    for cluster in dask_clusters(fleet):
        namespace = cluster.namespace
        if not any(
            each.at("spec", "hard", QUOTA) is not None
            for each in _in_namespace(namespace, of_kind(fleet, "ResourceQuota"))
        ):
            yield Violation(
                resource=cluster,
                message=f"Namespace {namespace} has no ResourceQuota for {QUOTA}: one team could "
                "take every GPU of the fleet.",
            )
        if missing := _missing(_in_namespace(namespace, of_kind(fleet, "LimitRange"))):
            yield Violation(
                resource=cluster,
                message=f"Namespace {namespace} has no LimitRange that gives containers "
                f"{', '.join(missing)}: pods without requests and limits take what they find.",
            )


def _in_namespace(namespace: str, objects: Sequence[Declared]) -> list[Declared]:
    """Those that are in a namespace, and those that may be."""
    return [each for each in objects if each.namespace in {namespace, ""}]


def _missing(ranges: Sequence[Declared]) -> list[str]:
    return [
        f"{key}.{name}"
        for key, names in DEFAULTS.items()
        for name in names
        if not any(
            may_have(each.at("spec", "limits"), partial(_gives, key=key, name=name))
            for each in ranges
        )
    ]


def _gives(limit: Any, *, key: str, name: str) -> bool:
    return may_be(at(limit, "type"), "Container") and at(limit, key, name) is not None


RULE = Rule(
    name="namespace-limits",
    description="A team's namespace has a GPU quota and default requests and limits.",
    level="mandatory",
    scope="stack",
    parameters=NoParameters,
    check=_check,
)
