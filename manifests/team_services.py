"""Pure: what a Service in a team's namespace may be, whoever asks but the platform.

The operator may create and patch Services there, since each Dask cluster has one, and RBAC cannot
say of what type. A quota counts two of the types, where a team has one, and knows neither
``externalIPs``, which take somebody else's traffic (CVE-2020-8554), nor names.
"""

from typing import Any

from daskfleet.contract.dask import PART_OF, PART_OF_LABEL

POLICY = "daskfleet-team-services"

_OPEN_TO = (
    "networking.gke.io/load-balancer-type",
    "cloud.google.com/load-balancer-type",
)
"""Annotations that keep a load balancer off the internet (GKE, "Internal LoadBalancer Service")."""

_INSIDE = (
    "object.spec.?type.orValue('ClusterIP') == 'ClusterIP' && "
    "size(object.spec.?externalIPs.orValue([])) == 0"
)
_NOTE = "{}.metadata.?annotations[?'{}'].orValue('')"
_AS_IT_WAS = " && ".join(
    (
        "oldObject != null",
        "object.spec == oldObject.spec",
        *(f"{_NOTE.format('object', key)} == {_NOTE.format('oldObject', key)}" for key in _OPEN_TO),
    )
)


def services_policy() -> dict[str, Any]:
    """Return the ``spec`` of a ValidatingAdmissionPolicy for the namespaces of all teams.

    Whoever may delete a namespace may do all that is in it, and so make the address in the VPC that
    a team has. Everybody else leaves that one as it is: Google's controllers write its status, its
    finalizers and notes of their own.
    """
    return {
        "failurePolicy": "Fail",
        "matchConstraints": {
            "namespaceSelector": {"matchLabels": {PART_OF_LABEL: PART_OF}},
            "resourceRules": [
                {
                    "apiGroups": [""],
                    "apiVersions": ["v1"],
                    "operations": ["CREATE", "UPDATE"],
                    "resources": ["services"],
                }
            ],
        },
        "matchConditions": [
            {
                "name": "not-the-platform",
                "expression": "!authorizer.group('').resource('namespaces')"
                ".name(request.namespace).check('delete').allowed()",
            }
        ],
        "validations": [
            {
                "expression": f"({_INSIDE}) || ({_AS_IT_WAS})",
                "message": "a Service in a team's namespace has type ClusterIP and no externalIPs, "
                "and one that is open is the platform's: a team gets an address in the VPC by "
                "access.internal_load_balancer in the stack file",
            }
        ],
    }


def services_binding() -> dict[str, Any]:
    """Return the ``spec`` of its ValidatingAdmissionPolicyBinding."""
    return {"policyName": POLICY, "validationActions": ["Deny"]}
