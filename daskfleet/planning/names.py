"""Names that collide, with each other or with what Kubernetes and GKE keep for themselves."""

from collections.abc import Iterable, Iterator

from daskfleet.contract.nodes import PREPULL_NAMESPACE
from daskfleet.planning.generations import SUFFIX_LENGTH
from daskfleet.planning.pools import dask_pools
from daskfleet.settings.google_names import POOL_NAME_MAX_LENGTH
from daskfleet.settings.names import TEAM_NAME_MAX_LENGTH
from daskfleet.settings.problems import Problem
from daskfleet.settings.stack import Stack

RESERVED_NAMESPACES = frozenset({"default"})
RESERVED_PREFIXES = ("kube-", "gke-", "gmp-")
"""Namespaces of Kubernetes (kubernetes.io, "Initial namespaces") and of GKE's managed parts
(``gke-managed-system``, ``gmp-system`` and others)."""

CLUSTER_SUFFIX_LENGTH = 9
"""A hyphen and eight hexadecimal digits, which tell a blue-green team's Dask clusters apart."""

MOST_LABELS = 64
"""Labels on one Google Cloud resource (cloud.google.com/compute/docs/labeling-resources)."""


def name_problems(stack: Stack) -> list[Problem]:
    """Duplicate teams and pools, reserved namespaces, no room for a hash, too many labels."""
    return [
        *_teams(stack),
        *_operator(stack),
        *_pools(stack),
        *_generations(stack),
        *_labels(stack),
    ]


def _teams(stack: Stack) -> Iterator[Problem]:
    names = [(f"teams[{index}].name", team.name) for index, team in enumerate(stack.teams)]
    yield from _duplicates(names, reason="a team is a namespace, and a namespace exists once")
    yield from _cluster_names(stack)
    for key, name in names:
        if name == stack.operator.namespace:
            reason = "This is the namespace of the Dask operator (operator.namespace)."
        elif name in RESERVED_NAMESPACES or name.startswith(RESERVED_PREFIXES):
            reason = "Kubernetes or GKE keeps this namespace for itself."
        elif name == PREPULL_NAMESPACE and stack.image_prepull:
            reason = "This is the namespace of the pods that pull images (image_prepull)."
        else:
            continue
        yield Problem(
            key=key,
            value=name,
            reason=reason,
            allowed=f"names other than {', '.join(_taken(stack))} and default that do not begin "
            f"with {', '.join(RESERVED_PREFIXES)}",
            next_step="choose another name for the team.",
        )


def _taken(stack: Stack) -> list[str]:
    return [stack.operator.namespace, *([PREPULL_NAMESPACE] if stack.image_prepull else [])]


def _operator(stack: Stack) -> Iterator[Problem]:
    """An operator among the pods that pull images: every scheduler lets its namespace in."""
    if stack.image_prepull and stack.operator.namespace == PREPULL_NAMESPACE:
        yield Problem(
            key="operator.namespace",
            value=stack.operator.namespace,
            reason="This is the namespace of the pods that pull images (image_prepull).",
            allowed=f"names other than {PREPULL_NAMESPACE}",
            next_step="choose another namespace for the operator.",
        )


def _cluster_names(stack: Stack) -> Iterator[Problem]:
    """Names that leave no room for what a blue-green team's cluster is told apart by."""
    longest = TEAM_NAME_MAX_LENGTH - CLUSTER_SUFFIX_LENGTH
    for index, team in enumerate(stack.teams):
        if team.rollout.kind == "blue-green" and len(team.name) > longest:
            yield Problem(
                key=f"teams[{index}].name",
                value=team.name,
                reason=f"With rollout blue-green its DaskCluster is called {team.name} and a "
                f"suffix of {CLUSTER_SUFFIX_LENGTH} characters: "
                f"{len(team.name) + CLUSTER_SUFFIX_LENGTH} in all, where the Dask operator "
                f"allows {TEAM_NAME_MAX_LENGTH}.",
                allowed=f"at most {longest} characters",
                next_step="choose a shorter name, or rollout recreate.",
            )


def _pools(stack: Stack) -> Iterator[Problem]:
    names = [
        ("system_pool.name", stack.system_pool.name),
        ("scheduler_pool.name", stack.scheduler_pool.name),
        *(
            (f"worker_pools[{index}].name", pool.name)
            for index, pool in enumerate(stack.worker_pools)
        ),
    ]
    yield from _duplicates(names, reason="a pool's name is its identity in GKE")


def _generations(stack: Stack) -> Iterator[Problem]:
    longest = POOL_NAME_MAX_LENGTH - SUFFIX_LENGTH
    for key, pool in dask_pools(stack):
        if pool.replacement == "surge" and len(pool.name) > longest:
            yield Problem(
                key=f"{key}.name",
                value=pool.name,
                reason=f"With replacement surge GKE gets the name with a hash: {len(pool.name)} + "
                f"{SUFFIX_LENGTH} characters, and a node pool's name has at most "
                f"{POOL_NAME_MAX_LENGTH}.",
                allowed=f"at most {longest} characters, or replacement in-place",
                next_step=f"shorten the name by {len(pool.name) - longest} characters.",
            )


def _duplicates(names: Iterable[tuple[str, str]], *, reason: str) -> Iterator[Problem]:
    first: dict[str, str] = {}
    for key, name in names:
        if name not in first:
            first[name] = key
            continue
        yield Problem(
            key=key,
            value=name,
            reason=f"{first[name]} has the same name, but {reason}.",
            allowed="each name once",
            next_step="rename one of the two, or remove it.",
        )


def _labels(stack: Stack) -> Iterator[Problem]:
    if len(stack.labels) > MOST_LABELS:
        yield Problem(
            key="labels",
            value=f"{len(stack.labels)} labels",
            reason="Google Cloud refuses resources with that many labels.",
            allowed=f"at most {MOST_LABELS}",
            next_step="remove some.",
        )
    for key, value in stack.labels.items():
        if key.startswith("goog"):
            yield Problem(
                key=f"labels.{key}",
                value=value,
                reason="Google Cloud keeps label keys that begin with goog for itself.",
                allowed="keys that do not begin with goog",
                next_step="choose another key.",
            )
