"""Pure: what the Dask operator may see of a whole cluster, and what it may do for one team.

The chart's own ClusterRole lets it do everything to pods, Services and Deployments of every
namespace. Each rule here is a request that the operator was read, and seen, to make (kopf 1.43 and
1.45, kr8s 0.20 and ``operator/controller/controller.py`` of dask-kubernetes 2026.3.0).
"""

from manifests.team_members import PolicyRule, Subject

ACCOUNT = "dask-kubernetes-operator"
"""The operator's service account, which its chart names after the release."""

WATCH_ROLE = "dask-operator-watch"
"""Held in all namespaces."""

TEAM_ROLE = "dask-operator-team"
"""Held in the namespace of each team, and in no other."""

TEAM_BINDING = "dask-operator"

DASK = ["kubernetes.dask.org"]
CORE = [""]


def watch_rules() -> list[PolicyRule]:
    """See what kopf watches; release the finalizers that it sets.

    A watch that is refused ends the operator (kopf, ``orchestrator``), and with
    ``--all-namespaces`` each is one watch of all namespaces. So the operator sees the definitions
    of all pods and Services, of which it handles those with a label of Dask's.

    The two kinds with a timer get a finalizer. Whoever deletes a namespace deletes the team's
    binding with it, in no order that could be told: were the right to release a finalizer in there,
    a member's own cluster could hang with its namespace for ever. A patch makes no object, not even
    a server-side apply: that also takes ``create``.
    """
    return [
        {
            "apiGroups": ["apiextensions.k8s.io"],
            "resources": ["customresourcedefinitions"],
            "verbs": ["list", "watch"],
        },
        {
            "apiGroups": DASK,
            "resources": ["daskclusters", "daskworkergroups", "daskautoscalers", "daskjobs"],
            "verbs": ["list", "watch"],
        },
        {"apiGroups": CORE, "resources": ["pods", "services"], "verbs": ["list", "watch"]},
        {"apiGroups": DASK, "resources": ["daskclusters", "daskautoscalers"], "verbs": ["patch"]},
    ]


def team_rules() -> list[PolicyRule]:
    """Make, scale and end Dask clusters, and say what happens to them.

    Workers and schedulers are Deployments, which it never changes; a job's runner is a pod. To the
    rest it puts notes of its own (kopf's annotations, owners, numbers, states): a patch.

    The last is for the operator's image, which is of March 2026, when kopf was 1.43 or 1.44: that
    says in events what it does; since 1.45 it does not by itself. Its notes in a status go into
    annotations (``guarded_operator.py``).
    """
    return [
        _rule(DASK, "daskclusters", "get", "create", "patch", "delete"),
        _rule(DASK, "daskworkergroups", "get", "create", "patch"),
        _rule(DASK, "daskautoscalers", "patch"),
        _rule(DASK, "daskjobs", "patch"),
        _rule(DASK, "daskjobs/status", "patch"),
        _rule(["apps"], "deployments", "get", "list", "create", "delete"),
        _rule(CORE, "pods", "get", "create", "patch"),
        _rule(CORE, "services", "get", "create", "patch"),
        _rule(CORE, "events", "create"),
    ]


def operators_account(namespace: str) -> Subject:
    """Return the operator as a subject of bindings."""
    return {"kind": "ServiceAccount", "name": ACCOUNT, "namespace": namespace}


def _rule(groups: list[str], resource: str, *verbs: str) -> PolicyRule:
    return {"apiGroups": groups, "resources": [resource], "verbs": [*verbs]}
