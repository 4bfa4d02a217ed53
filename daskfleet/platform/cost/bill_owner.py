"""Pure: whose a row of the bill is, by the labels that GKE's cost allocation writes.

Keys and special namespaces: cloud.google.com/kubernetes-engine/docs/how-to/cost-allocations.
"""

from typing import Literal

from daskfleet.platform.cost.focus import FocusRow
from daskfleet.settings.stack import Stack

CLUSTER = "goog-k8s-cluster-name"
LOCATION = "goog-k8s-cluster-location"
NAMESPACE = "k8s-namespace"

OwnerKind = Literal[
    "team",
    "unused",
    "overhead",
    "unsupported",
    "platform",
    "cluster",
    "outside",
    "elsewhere",
    "fleet",
]
"""``outside``: in the project and of no cluster. ``elsewhere``: of another cluster.
``fleet``: all of the cluster."""

Owner = tuple[OwnerKind, str]

UNUSED: Owner = ("unused", "machines that no pod asked for")
OVERHEAD: Owner = ("overhead", "kept by GKE of each node")
UNSUPPORTED: Owner = ("unsupported", "given to nobody by GKE")
PLATFORM: Owner = ("platform", "namespaces of no team")
OF_CLUSTER: Owner = ("cluster", "the cluster, without a namespace")
OUTSIDE: Owner = ("outside", "in the project, of no cluster")
ELSEWHERE: Owner = ("elsewhere", "other clusters of the project")
FLEET: Owner = ("fleet", "all of the cluster")
OTHERS = (UNUSED, OVERHEAD, UNSUPPORTED, PLATFORM, OF_CLUSTER, OUTSIDE)
"""Whose rows are no team's, in the order in which they are told."""

SPECIAL = {
    "kube:unallocated": UNUSED,
    "kube:system-overhead": OVERHEAD,
    "goog-k8s-unsupported-sku": UNSUPPORTED,
    "goog-k8s-unknown": UNSUPPORTED,
}
"""Values that are no namespaces."""

IN_CLUSTER: frozenset[OwnerKind] = frozenset(
    {"team", "unused", "overhead", "unsupported", "platform", "cluster"}
)


def owner_of(row: FocusRow, stack: Stack) -> Owner:
    """Whose a row of the stack's project is."""
    if not (cluster := row.tags.get(CLUSTER)):
        return OUTSIDE
    location = row.tags.get(LOCATION) or stack.location
    if (cluster, location) != (stack.cluster.name, stack.location):
        return ELSEWHERE
    if not (namespace := row.tags.get(NAMESPACE)):
        return OF_CLUSTER
    if namespace in {team.name for team in stack.teams}:
        return "team", namespace
    return SPECIAL.get(namespace, PLATFORM)
