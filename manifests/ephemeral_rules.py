"""Pure: what members may do for clusters of their own, and what the API server refuses them.

RBAC cannot say "all but this one": to create and to delete is allowed for a kind or not at all. So
an admission policy refuses what touches Pulumi's objects, and pods that could read more than the
team's own Dask pods can: who may create a DaskCluster has the operator make any pod.
"""

import json
from collections.abc import Iterator
from typing import Any

from daskfleet.contract.dask import PART_OF, PART_OF_LABEL, SERVICE_ACCOUNT
from daskfleet.planning.names import CLUSTER_SUFFIX_LENGTH
from manifests.dask_manifest import DaskClusterManifest
from manifests.team_members import READ, PolicyRule

SPEC_CONFIG_MAP = "dask-cluster-spec"
"""Name of the ConfigMap that has a spec for notebooks; ``SPEC_KEY`` is its key."""

SPEC_KEY = "cluster.yaml"

DASK_GROUP = "kubernetes.dask.org"

PodSpec = dict[str, Any]
AdmissionPolicySpec = dict[str, Any]
"""The ``spec`` of an ``admissionregistration.k8s.io/v1`` ValidatingAdmissionPolicy."""


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


def admission_policy(
    team: str, *, fixed: DaskClusterManifest, operator_namespace: str
) -> AdmissionPolicySpec:
    """Refuse what is not a cluster of a member's own.

    Whoever may delete the namespace may do all that is in it; so may Kubernetes' controllers and
    the operator, by their service accounts. Everybody else, whatever roles they have, is held.
    """
    return {
        "failurePolicy": "Fail",
        "matchConstraints": {
            "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": team}},
            "resourceRules": [
                {
                    "apiGroups": [DASK_GROUP],
                    "apiVersions": ["*"],
                    "operations": ["CREATE", "UPDATE", "DELETE"],
                    "resources": [
                        "daskclusters",
                        "daskworkergroups",
                        "daskautoscalers",
                        "daskjobs",
                    ],
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
            {
                "name": "pods",
                "expression": "object == null ? [] : "
                "request.resource.resource == 'daskclusters' ? "
                "[object.spec.scheduler.spec, object.spec.worker.spec] : "
                "request.resource.resource == 'daskworkergroups' ? "
                "[object.spec.worker.spec] : []",
            }
        ],
        "validations": list(_validations(team, fixed)),
    }


def _validations(team: str, fixed: DaskClusterManifest) -> Iterator[dict[str, str]]:
    suffix = CLUSTER_SUFFIX_LENGTH - len("-")
    is_fixed = f"matches('^{team}(-[0-9a-f]{{{suffix}}})?$')"
    yield {
        "expression": f"{_is_not_ours('object')} && {_is_not_ours('oldObject')}",
        "message": "the team's fixed Dask cluster is Pulumi's: change it in the stack file",
    }
    yield {
        "expression": "object == null || request.resource.resource != 'daskclusters' || "
        f"!object.metadata.name.{is_fixed}",
        "message": "this name is kept for the team's fixed Dask cluster",
    }
    yield {
        "expression": "object == null || !has(object.spec.cluster) || "
        f"!object.spec.cluster.{is_fixed}",
        "message": "the team's fixed Dask cluster is Pulumi's: change it in the stack file",
    }
    yield {
        "expression": "request.resource.resource != 'daskjobs' || object == null",
        "message": "a DaskJob brings a pod of any kind: make a DaskCluster",
    }
    yield {
        "expression": "variables.pods.all(p, has(p.serviceAccountName) && "
        f"p.serviceAccountName == '{SERVICE_ACCOUNT}')",
        "message": f"pods of a Dask cluster run as the service account {SERVICE_ACCOUNT}",
    }
    secrets = json.dumps(sorted(_secrets(fixed)))
    yield {
        "expression": "variables.pods.all(p, !has(p.volumes) || p.volumes.all(v, "
        f"!has(v.projected) && (!has(v.secret) || v.secret.secretName in {secrets})))",
        "message": "pods may mount those Secrets that the fixed cluster's pods mount",
    }
    yield {
        "expression": "variables.pods.all(p, (p.containers + "
        "(has(p.initContainers) ? p.initContainers : [])).all(c, !has(c.envFrom) && "
        "(!has(c.env) || c.env.all(e, !has(e.valueFrom) || !has(e.valueFrom.secretKeyRef)))))",
        "message": "pods may not take variables from Secrets",
    }


def _is_not_ours(each: str) -> str:
    labels = f"{each}.metadata.labels"
    return (
        f"({each} == null || !has({labels}) || !('{PART_OF_LABEL}' in {labels}) || "
        f"{labels}['{PART_OF_LABEL}'] != '{PART_OF}')"
    )


def _secrets(fixed: DaskClusterManifest) -> Iterator[str]:
    """Names of the Secrets that the fixed cluster's pods mount."""
    for part in ("scheduler", "worker"):
        for volume in fixed["spec"][part]["spec"].get("volumes", []):
            if "secret" in volume:
                yield volume["secret"]["secretName"]
