"""Pure: what the controller of sick GPUs may do, and what no role can say of it.

Who may patch a Node may lure pods onto it, by labels and taints, or take it from everybody. No
verb of Kubernetes cordons. So the role says patch, and a policy leaves of that one field and the
controller's own notes, on nodes with GPUs.
"""

from typing import Any

from daskfleet.contract.dask import COMPONENT_LABEL
from daskfleet.contract.nodes import ACCELERATOR_LABEL, WORKER
from in_cluster.gpu_health.note import PREFIX
from manifests.team_members import PolicyRule

POLICY = "daskfleet-gpu-health"

_AS_IT_WAS = " && ".join(
    (
        *(
            f"object.{part} == oldObject.{part}"
            for part in (
                *("metadata.?labels", "metadata.?finalizers", "metadata.?ownerReferences"),
                *("spec.?taints", "spec.?podCIDR", "spec.?podCIDRs", "spec.?providerID"),
                *("spec.?configSource", "spec.?externalID"),
            )
        ),
        *(
            f"{one}.metadata.?annotations.orValue({{}}).all(k, k.startsWith('{PREFIX}') || "
            f"{other}.metadata.?annotations[?k] == {one}.metadata.?annotations[?k])"
            for one, other in (("object", "oldObject"), ("oldObject", "object"))
        ),
    )
)
"""All that a Node has beside its status, which is another resource, but ``spec.unschedulable`` and
the notes (Kubernetes 1.36, ``core/v1`` NodeSpec)."""


def cluster_rules() -> list[PolicyRule]:
    """See the nodes, and cordon them."""
    return [{"apiGroups": [""], "resources": ["nodes"], "verbs": ["list", "patch"]}]


def team_rules() -> list[PolicyRule]:
    """In a team's namespace: find the workers of a node, end them, and say so."""
    return [
        {"apiGroups": [""], "resources": ["pods"], "verbs": ["list", "delete"]},
        {"apiGroups": [""], "resources": ["events"], "verbs": ["create"]},
    ]


def policy(*, user: str) -> dict[str, Any]:
    """Return the ``spec`` of a ValidatingAdmissionPolicy that holds for that user only."""
    return {
        "failurePolicy": "Fail",
        "matchConstraints": {
            "resourceRules": [_rule("nodes", "UPDATE"), _rule("pods", "DELETE")],
        },
        "matchConditions": [
            {"name": "the-controller", "expression": f"request.userInfo.username == '{user}'"}
        ],
        "validations": [
            {
                "expression": "request.resource.resource != 'nodes' || "
                f"('{ACCELERATOR_LABEL}' in oldObject.metadata.?labels.orValue({{}}) && "
                f"{_AS_IT_WAS})",
                "message": "This account may say whether a node with GPUs takes pods, and why. It "
                "may change nothing else, and no other node.",
            },
            {
                "expression": "request.resource.resource != 'pods' || "
                f"oldObject.metadata.?labels[?'{COMPONENT_LABEL}'].orValue('') == '{WORKER}'",
                "message": "This account may delete pods of Dask workers and no others.",
            },
        ],
    }


def _rule(resource: str, operation: str) -> dict[str, Any]:
    return {
        "apiGroups": [""],
        "apiVersions": ["*"],
        "operations": [operation],
        "resources": [resource],
    }
