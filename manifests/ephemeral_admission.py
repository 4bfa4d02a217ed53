"""Pure: what the API server lets members make of a Dask cluster of their own, and nothing else.

Who may create a DaskCluster has the operator make its pods and its Service. So the policy has the
team's template in it, and a list of what a member may choose, each with a bound. It leaves to the
operator the pods, Services and Deployments that come of it: they are no more than the spec is.
"""

from collections.abc import Iterator
from typing import Any

from daskfleet.contract.dask import PART_OF, PART_OF_LABEL
from daskfleet.contract.own_clusters import LEAST_IDLE_TIMEOUT_S
from daskfleet.planning.names import CLUSTER_SUFFIX_LENGTH
from daskfleet.planning.plan import TeamPlan
from manifests.cel import between, literal, quantity_up_to
from manifests.dask_manifest import DaskClusterManifest
from manifests.ephemeral_rules import DASK_GROUP, SPEC_CONFIG_MAP
from manifests.ephemeral_spec import make_cluster_spec
from manifests.own_cluster_template import DIFFERENCES, NAME, levels_expression

AdmissionPolicySpec = dict[str, Any]
"""The ``spec`` of an ``admissionregistration.k8s.io/v1`` ValidatingAdmissionPolicy."""

Validation = dict[str, str]
"""One of its ``validations``; all hold, or the request is refused with the first one's message."""

CLUSTERS = "daskclusters"
GROUPS = "daskworkergroups"
AUTOSCALERS = "daskautoscalers"
JOBS = "daskjobs"
KINDS = (CLUSTERS, GROUPS, AUTOSCALERS)
SCALES = (f"{CLUSTERS}/scale", f"{GROUPS}/scale")
"""The ways to a number of workers past the object. Only DaskJob has a ``status`` of this kind."""

FIXED_IS_PULUMIS = "Pulumi manages the team's fixed Dask cluster. Change it in the stack file."
LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
"""The operator copies annotations to pods, but none of kubectl's (dask_kubernetes 2026.3.0)."""


def admission_policy(
    plan: TeamPlan, *, max_workers: int, operator_namespace: str
) -> AdmissionPolicySpec:
    """Refuse what is not a cluster of a member's own, as the team's template has it.

    Whoever may delete the namespace may do all that is in it; so may Kubernetes' controllers and
    the operator, by their service accounts. Everybody else, whatever roles they have, is held.
    """
    team = plan.team.name
    template = make_cluster_spec(plan, name=NAME)
    return {
        "failurePolicy": "Fail",
        "matchConstraints": {
            "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": team}},
            "resourceRules": [
                {
                    "apiGroups": [DASK_GROUP],
                    "apiVersions": ["*"],
                    "operations": ["CREATE", "UPDATE", "DELETE"],
                    "resources": [CLUSTERS, GROUPS, AUTOSCALERS, JOBS, *SCALES],
                }
            ],
        },
        "matchConditions": [
            {
                "name": "not-the-platform",
                "expression": "!("
                "request.userInfo.username.startsWith('system:serviceaccount:kube-system:') || "
                "request.userInfo.username.startsWith("
                f"'system:serviceaccount:{operator_namespace}:') || "
                f"authorizer.group('').resource('namespaces').name('{team}')"
                ".check('delete').allowed())",
            }
        ],
        "variables": [
            {"name": "kind", "expression": _KIND},
            {"name": "before", "expression": "oldObject == null ? {} : oldObject"},
            {"name": "notes", "expression": _NOTES.format("object")},
            {"name": "notesBefore", "expression": _NOTES.format("variables.before")},
            {"name": "levels", "expression": levels_expression(template)},
            {"name": "differences", "expression": DIFFERENCES},
            *(
                {
                    "name": part,
                    "expression": f"object.?spec.?{part}.?spec.?containers[?0].orValue({{}})",
                }
                for part in ("scheduler", "worker")
            ),
        ],
        "validations": [
            *_of_the_fixed_cluster(plan),
            *_of_clusters(template, team=team),
            *_of_numbers(plan, max_workers),
            *_of_what_the_operator_made(),
        ],
    }


_NOTES = "{}.?metadata.?annotations.orValue({{}})"
_KIND = (
    "request.?subResource.orValue('') == '' ? request.resource.resource : "
    "request.resource.resource + '/' + request.subResource"
)


def _of_the_fixed_cluster(plan: TeamPlan) -> Iterator[Validation]:
    is_fixed = f"matches('^{_fixed_name(plan)}$')"
    yield {
        "expression": f"{_is_not_ours('object')} && {_is_not_ours('oldObject')}",
        "message": FIXED_IS_PULUMIS,
    }
    yield {
        "expression": f"object == null || !(variables.kind in ['{CLUSTERS}', '{CLUSTERS}/scale']) "
        f"|| !object.metadata.name.{is_fixed}",
        "message": "This name is kept for the team's fixed Dask cluster. Choose another.",
    }
    yield {
        "expression": f"object == null || !(variables.kind in ['{AUTOSCALERS}', '{GROUPS}']) || "
        f"!object.spec.cluster.{is_fixed}",
        "message": FIXED_IS_PULUMIS,
    }


def _of_clusters(template: DaskClusterManifest, *, team: str) -> Iterator[Validation]:
    unlike = "not as in the team's template"
    begin = (
        f"Begin with `daskfleet cluster-spec {team}` or the ConfigMap {SPEC_CONFIG_MAP}. You "
        "may choose metadata.name, spec.idleTimeout, spec.worker.replicas, and of each container "
        "image, args, env, and resources up to the team's."
    )
    yield {
        "expression": f"{_unless(CLUSTERS)} || variables.differences == ''",
        "message": f"Some of this is {unlike}. {begin}",
        "messageExpression": f"{literal(f'This is {unlike}: ', holes={})} + "
        f"variables.differences + {literal(f'. {begin}', holes={})}",
    }
    yield {
        "expression": f"{_unless(CLUSTERS)} || "
        "[object.spec.scheduler.spec, object.spec.worker.spec]"
        ".all(p, size(p.containers) == 1)",
        "message": "A pod of a Dask cluster must have one container: "
        "spec.scheduler.spec.containers and spec.worker.spec.containers have one element each.",
    }
    for part in ("scheduler", "worker"):
        path = f"spec.{part}.spec.containers[0]"
        yield {
            "expression": f"{_unless(CLUSTERS)} || variables.{part}.?env.orValue([])"
            ".all(e, e.all(k, k in ['name', 'value']))",
            "message": f"{path}.env may have variables with name and value, and none from "
            "Secrets, ConfigMaps or fields.",
        }
        (container,) = template["spec"][part]["spec"]["containers"]
        most = container["resources"]["requests"]
        asked = f"variables.{part}.?resources.?requests"
        limit = f"variables.{part}.?resources.?limits.?memory.orValue('')"
        yield {
            "expression": f"{_unless(CLUSTERS)} || "
            f"({quantity_up_to(f'{asked}.?cpu', most=most['cpu'])} && "
            f"{quantity_up_to(f'{asked}.?memory', most=most['memory'])} && isQuantity({limit}) && "
            f"quantity({limit}).compareTo(quantity({asked}.memory.orValue(''))) == 0)",
            "message": f"{path}.resources: requests.cpu must be more than 0 and up to "
            f"{most['cpu']}, requests.memory more than 0 and up to {most['memory']}, and "
            "limits.memory must be the same.",
        }
    yield {
        "expression": f"{_unless(CLUSTERS)} || object.spec.idleTimeout >= {LEAST_IDLE_TIMEOUT_S}",
        "message": f"spec.idleTimeout must be at least {LEAST_IDLE_TIMEOUT_S} seconds. After so "
        "long without work the cluster goes; 0 would keep it for ever.",
    }


def _of_numbers(plan: TeamPlan, max_workers: int) -> Iterator[Validation]:
    bounds = f"0 to {max_workers} (ephemeral.max_workers in the stack file)."
    within = between("object.spec.worker.replicas", most=max_workers)
    for kind in (CLUSTERS, GROUPS):
        yield {
            "expression": f"{_unless(kind)} || {within}",
            "message": f"spec.worker.replicas must be {bounds}",
        }
    # A Scale of 0 replicas has no replicas (``omitempty`` in autoscaling/v1).
    groups = "|".join(group.name for group in plan.groups)
    yield {
        "expression": f"object == null || !(variables.kind in {literal(SCALES, holes={})}) || "
        f"object.metadata.name.matches('^{_fixed_name(plan)}-({groups})$') || "
        f"{between('object.?spec.?replicas.orValue(0)', most=max_workers)}",
        "message": f"The number of workers must be {bounds}",
    }
    yield {
        "expression": f"{_unless(AUTOSCALERS)} || [object.spec.minimum, object.spec.maximum]"
        f".all(n, {between('n', most=max_workers)})",
        "message": f"spec.minimum and spec.maximum must be {bounds}",
    }


def _of_what_the_operator_made() -> Iterator[Validation]:
    yield {
        "expression": f"{_unless(GROUPS)} || (request.operation == 'UPDATE' && "
        "object.metadata.?labels == oldObject.metadata.?labels && "
        "object.spec.cluster == oldObject.spec.cluster && "
        "object.spec.worker.all(k, k == 'replicas' || (k in oldObject.spec.worker && "
        "object.spec.worker[k] == oldObject.spec.worker[k])) && "
        "oldObject.spec.worker.all(k, k in object.spec.worker))",
        "message": "The operator makes one DaskWorkerGroup for each Dask cluster. You may change "
        "its spec.worker.replicas and nothing else.",
    }
    yield {
        "expression": f"{_unless(AUTOSCALERS)} || object.metadata.name == object.spec.cluster",
        "message": "A DaskAutoscaler must have its Dask cluster's name, as KubeCluster.adapt "
        "gives it.",
    }
    yield {
        "expression": f"variables.kind != '{JOBS}' || object == null",
        "message": "A DaskJob could bring a pod of any kind. Make a DaskCluster.",
    }
    yield {
        "expression": f"object == null || !(variables.kind in {literal(KINDS, holes={})}) || "
        "(['finalizers', 'ownerReferences'].all(k, "
        "object.metadata[?k] == variables.before.?metadata[?k]) && "
        "object.?status == variables.before.?status)",
        "message": "metadata.finalizers, metadata.ownerReferences and status belong to Kubernetes "
        "and the operator. Leave them out of a new object, and unchanged in an existing one.",
    }
    yield {
        "expression": "object == null || ("
        f"variables.notes.all(k, k == '{LAST_APPLIED}' || (k in variables.notesBefore && "
        "variables.notes[k] == variables.notesBefore[k])) && "
        f"variables.notesBefore.all(k, k == '{LAST_APPLIED}' || k in variables.notes))",
        "message": "metadata.annotations go to the pods, where Google Kubernetes Engine acts on "
        f"some. You may set only {LAST_APPLIED}, which kubectl writes.",
    }


def _fixed_name(plan: TeamPlan) -> str:
    """Write a regular expression for all names that the fixed cluster ever has."""
    return f"{plan.team.name}(-[0-9a-f]{{{CLUSTER_SUFFIX_LENGTH - len('-')}}})?"


def _unless(kind: str) -> str:
    return f"object == null || variables.kind != '{kind}'"


def _is_not_ours(each: str) -> str:
    labels = f"{each}.metadata.labels"
    return (
        f"({each} == null || !has({labels}) || !('{PART_OF_LABEL}' in {labels}) || "
        f"{labels}['{PART_OF_LABEL}'] != '{PART_OF}')"
    )
