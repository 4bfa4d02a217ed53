"""A team's namespace has a GPU quota, and defaults for pods that state no resources."""

from collections.abc import Iterator, Sequence

from planning.node_contract import GPU_RESOURCE
from policies.declared import UNKNOWN, Declared, at, dask_clusters, items_of, of_kind
from policies.rule import NoParameters, Rule, Violation

QUOTA = f"requests.{GPU_RESOURCE}"
DEFAULTS = {"defaultRequest": ("cpu", "memory"), "default": ("memory",)}


def _check(fleet: Sequence[Declared], parameters: NoParameters) -> Iterator[Violation]:
    del parameters
    for cluster in dask_clusters(fleet):
        namespace = cluster.namespace
        if not any(
            each.namespace == namespace and each.at("spec", "hard", QUOTA) is not None
            for each in of_kind(fleet, "ResourceQuota")
        ):
            yield Violation(
                resource=cluster,
                message=f"Namespace {namespace} has no ResourceQuota for {QUOTA}: one team could "
                "take every GPU of the fleet.",
            )
        ranges = [each for each in of_kind(fleet, "LimitRange") if each.namespace == namespace]
        if missing := _missing(ranges):
            yield Violation(
                resource=cluster,
                message=f"Namespace {namespace} has no LimitRange that gives containers "
                f"{', '.join(missing)}: pods that state nothing take what they find.",
            )


def _missing(ranges: Sequence[Declared]) -> list[str]:
    limits = [each.at("spec", "limits") for each in ranges]
    if any(limit is UNKNOWN for limit in limits):
        return []
    of_containers = [
        entry
        for limit in limits
        for entry in items_of(limit)
        if at(entry, "type") in ("Container", UNKNOWN)
    ]
    return [
        f"{key}.{name}"
        for key, names in DEFAULTS.items()
        for name in names
        if all(at(entry, key, name) is None for entry in of_containers)
    ]


RULE = Rule(
    name="namespace-limits",
    description="A team's namespace has a GPU quota and default requests and limits.",
    level="mandatory",
    scope="stack",
    parameters=NoParameters,
    check=_check,
)
