"""Pure: what members may do for clusters of their own, by RBAC and by quota.

RBAC cannot say "all but this one": to create and to delete is allowed for a kind or not at all.
What such a cluster may be, and that the fixed one is out of reach, ``ephemeral_admission`` says.
"""

from manifests.team_members import READ, PolicyRule

SPEC_CONFIG_MAP = "dask-cluster-spec"
"""Name of the ConfigMap that has a spec for notebooks; ``SPEC_KEY`` is its key."""

SPEC_KEY = "cluster.yaml"

DASK_GROUP = "kubernetes.dask.org"


def ephemeral_rules() -> list[PolicyRule]:
    """What ``KubeCluster`` of dask_kubernetes does: create, scale, adapt, delete."""
    return [
        {"apiGroups": [DASK_GROUP], "resources": ["daskclusters"], "verbs": ["create", "delete"]},
        {"apiGroups": [DASK_GROUP], "resources": ["daskworkergroups"], "verbs": ["patch"]},
        {
            "apiGroups": [DASK_GROUP],
            "resources": ["daskautoscalers"],
            "verbs": [*READ, "create", "patch", "delete"],
        },
        {
            "apiGroups": [""],
            "resources": ["configmaps"],
            "resourceNames": [SPEC_CONFIG_MAP],
            "verbs": ["get"],
        },
    ]


def clusters_quota(clusters: int) -> dict[str, str]:
    """The ``hard`` of a quota for so many DaskClusters in the namespace."""
    return {f"count/daskclusters.{DASK_GROUP}": str(clusters)}
