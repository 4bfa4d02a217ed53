"""What must not be lost cannot be deleted by one command."""

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from policies.declared import UNKNOWN, Declared, dask_clusters, gke_clusters, name_in, stack_in
from policies.rule import Parameters, Rule, Violation


class LongLivedParameters(Parameters):
    """Which stacks are long-lived by their name; others are where their settings say so."""

    stacks: tuple[str, ...] = ("prod", "prod-*", "production")
    """Patterns of stack names."""


def _check(fleet: Sequence[Declared], parameters: LongLivedParameters) -> Iterator[Violation]:
    for cluster in gke_clusters(fleet):
        stack = stack_in(cluster.urn)
        lock = cluster.at("deletionProtection")
        if lock is UNKNOWN:
            continue
        if lock is True:
            yield from (_unprotected(each) for each in _precious(cluster, fleet))
        elif any(fnmatchcase(stack, pattern) for pattern in parameters.stacks):
            yield Violation(
                resource=cluster,
                message=f"Stack {stack} is one of {', '.join(parameters.stacks)}, and its cluster "
                "may be deleted by one `pulumi destroy`: set daskfleet:long_lived to true.",
            )


def _precious(cluster: Declared, fleet: Sequence[Declared]) -> Iterator[Declared]:
    """What is precious and not protected."""
    homes = {each.namespace for each in dask_clusters(fleet)}
    for each in fleet:
        is_precious = (
            each is cluster
            or (each.kind == "NodePool" and _has_one_name(each))
            or (each.kind == "Namespace" and each.object_name in homes)
        )
        if is_precious and not each.is_protected:
            yield each


def _has_one_name(pool: Declared) -> bool:
    """Whether the pool is called as in the stack file, and not as one of its generations.

    Those of ``replacement: surge`` come and go, so none of them is protected.
    """
    return bool(pool.at("name") == name_in(pool.parent))


def _unprotected(resource: Declared) -> Violation:
    return Violation(
        resource=resource,
        message=f"The environment is long-lived, and {resource.kind} {resource.name} has no "
        "`protect`: a change that replaces or removes it would go through.",
    )


RULE = Rule(
    name="long-lived-protection",
    description="Cluster, pools and teams' namespaces of long-lived environments are protected.",
    level="mandatory",
    scope="stack",
    parameters=LongLivedParameters,
    check=_check,
)
