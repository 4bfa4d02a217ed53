"""Pure: how a ValidatingAdmissionPolicy holds, wherever its own constraints say."""

from typing import Any


def policy_binding(policy: str) -> dict[str, Any]:
    """Return the ``spec`` of the ValidatingAdmissionPolicyBinding of a policy that refuses."""
    return {"policyName": policy, "validationActions": ["Deny"]}
