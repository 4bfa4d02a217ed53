"""Pure: what nobody but the platform makes of a team's namespace, whatever rights they have.

No role can say it. The operator may create and patch Services, since each Dask cluster has one, of
whatever type; members may scale workers, to whatever number. A quota counts pods and two types of
Services, where a team has one. It knows no ``externalIPs``, which take somebody else's traffic
(CVE-2020-8554). Nor does it know Deployments: the operator makes them one by one for workers whose
pods no quota lets in, for a billion of them until the API server's disk is full. It makes them with
one replica each; whoever has taken it over makes one with a billion.

Nor can a role say that who changes the number of workers changes nothing else: the idle controller
patches a worker group, of which the pods are a part.

Nor whose ports are forwarded, since it knows no pod by its label: members may forward those of all
the team's pods, and at the ports of a running kernel Jupyter tells code and outputs to whoever
connects. A JupyterLab's are for those who may read its token.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from daskfleet.contract.dask import DASK_DEPLOYMENT, PART_OF, PART_OF_LABEL
from daskfleet.contract.jupyter import JUPYTER
from daskfleet.planning.plan import TeamPlan
from manifests.ephemeral_rules import DASK_GROUP
from manifests.team_quotas import dask_pods

POLICY = "daskfleet-teams"

LEAST_BOUND = 64
"""Workers: the bound seldom changes with what is declared, and an `up` then changes no policy."""

_INTERNAL = (
    "networking.gke.io/load-balancer-type",
    "cloud.google.com/load-balancer-type",
    "networking.gke.io/internal-load-balancer-allow-global-access",
)
"""Annotations that keep a load balancer off the internet and in its region (GKE, "Internal
LoadBalancer Service" and its parameters)."""

_IS_SERVICE = "request.resource.resource == 'services'"
_INSIDE = (
    "object.spec.?type.orValue('ClusterIP') == 'ClusterIP' && "
    "size(object.spec.?externalIPs.orValue([])) == 0"
)
_NOTE = "{}.metadata.?annotations[?'{}'].orValue('')"
_AS_IT_WAS = " && ".join(
    (
        "oldObject != null",
        "object.spec == oldObject.spec",
        *(f"{_NOTE.format('object', k)} == {_NOTE.format('oldObject', k)}" for k in _INTERNAL),
    )
)
_WORKERS = "[{}]".format(
    ", ".join(
        f"object.?spec.?{path}.orValue(0)"  # a Scale of none has no replicas (``omitempty``)
        for path in ("replicas", "worker.?replicas", "maximum", "minimum")
    )
)
"""Of a Scale, a Deployment, a DaskCluster or a DaskWorkerGroup, and of a DaskAutoscaler."""

_SAME_PODS = " && ".join(
    f"object.{part} == oldObject.{part}"
    for part in (
        "metadata.?labels",
        "?spec.?cluster",
        "?spec.?worker.?metadata",
        "?spec.?worker.?spec",
    )
)
"""Of two states of a DaskWorkerGroup; a Scale has none of it. The operator copies the group's
labels to the pods that it makes from then on (dask_kubernetes 2026.3.0, ``_get_labels``), and by
labels Services and network policies find pods. It copies annotations, too, of which the idle
controller writes some."""

_IS_LAB = (
    f"request.resource.resource == 'pods' && request.name.matches('^{JUPYTER}-(.+-)?[^-]+-[^-]+$')"
)
_BEFORE_LAST_HYPHEN = "{0}.substring(0, {0}.lastIndexOf('-'))"
"""Of a pod's name, twice: the name of the Deployment that it is of."""

_IS_DASKS = f"variables.deployment.matches('{DASK_DEPLOYMENT.pattern}')"
"""Of a cluster in a team called jupyter, or of a member's own; no person's name ends so."""

_IS_ITS_READER = (
    "authorizer.group('').resource('secrets').namespace(request.namespace)"
    ".name(variables.deployment + '-token').check('get').allowed()"
)


def most_workers(teams: Iterable[TeamPlan]) -> int:
    """Return a power of two that no team's declared pods exceed."""
    declared = max((len(dask_pods(team)) for team in teams), default=0)
    return max(LEAST_BOUND, 1 << max(declared - 1, 0).bit_length())


def team_policy(bound: int) -> dict[str, Any]:
    """Return the ``spec`` of a ValidatingAdmissionPolicy for the namespaces of all teams.

    Whoever may delete a namespace may do all that is in it, and so make the address in the VPC that
    a team has. Everybody else leaves that one as it is: Google's controllers write its status, its
    finalizers and notes of their own.

    Args:
        bound: the number that no group of workers exceeds, nor the replicas of a Deployment.

    """
    return {
        "failurePolicy": "Fail",
        "matchConstraints": {
            "namespaceSelector": {"matchLabels": {PART_OF_LABEL: PART_OF}},
            "resourceRules": [
                _rule("", "services"),
                _rule(
                    DASK_GROUP,
                    *("daskclusters", "daskworkergroups", "daskautoscalers"),
                    *("daskclusters/scale", "daskworkergroups/scale"),
                ),
                # Who may change one is the platform. Kubernetes' controllers note things on it.
                _rule("apps", "deployments", operations=("CREATE",)),
                _rule("", "pods/portforward", operations=("CONNECT",)),
            ],
        },
        # Each is worked out where it is used, and so for no name without hyphens.
        "variables": [
            {"name": "replicaset", "expression": _BEFORE_LAST_HYPHEN.format("request.name")},
            {
                "name": "deployment",
                "expression": _BEFORE_LAST_HYPHEN.format("variables.replicaset"),
            },
        ],
        "matchConditions": [
            {
                "name": "not-the-platform",
                "expression": "!authorizer.group('').resource('namespaces')"
                ".name(request.namespace).check('delete').allowed()",
            }
        ],
        "validations": [
            {
                "expression": f"!({_IS_SERVICE}) || ({_INSIDE}) || ({_AS_IT_WAS})",
                "message": "A Service in a team's namespace must have type ClusterIP and no "
                "externalIPs. For an address in the VPC, set access.internal_load_balancer in the "
                "stack file.",
            },
            {
                "expression": f"{_IS_SERVICE} || {_WORKERS}.all(n, n <= {bound})",
                "message": f"No team of this fleet may have more than {bound} workers. For more, "
                "raise the team's workers in the stack file.",
            },
            {
                "expression": "request.resource.resource != 'daskworkergroups' || "
                f"oldObject == null || ({_SAME_PODS})",
                "message": "Only the platform may change the pods of a worker group, by the stack "
                "file. Others may change the number of workers.",
            },
            {
                "expression": f"!({_IS_LAB}) || {_IS_DASKS} || {_IS_ITS_READER}",
                "message": "The ports of a JupyterLab are for those who may read its token. Use "
                "your own (connect --jupyter-of NAME), or the team's.",
            },
        ],
    }


def _rule(
    group: str, *resources: str, operations: Sequence[str] = ("CREATE", "UPDATE")
) -> dict[str, Any]:
    return {
        "apiGroups": [group],
        "apiVersions": ["*"],
        "operations": [*operations],
        "resources": [*resources],
    }
