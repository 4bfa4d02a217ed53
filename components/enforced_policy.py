"""A ValidatingAdmissionPolicy that refuses, with the binding by which it holds."""

from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes
from pulumi import ResourceOptions

from manifests.policy_binding import policy_binding


def enforced_policy(
    resource: str, *, name: str, spec: dict[str, Any], opts: ResourceOptions
) -> pulumi.Resource:
    """Declare both; the policy holds once the binding, which is returned, is there.

    Args:
        resource: the policy's name in Pulumi's state, and the beginning of the binding's.
        name: of both in the cluster.
        spec: the policy's.
        opts: of both.

    """
    policy = kubernetes.admissionregistration.v1.ValidatingAdmissionPolicy(
        resource, metadata={"name": name}, spec=spec, opts=opts
    )
    binding: pulumi.Resource = kubernetes.admissionregistration.v1.ValidatingAdmissionPolicyBinding(
        f"{resource}-binding",
        metadata={"name": name},
        spec=policy_binding(name),
        opts=ResourceOptions.merge(opts, ResourceOptions(depends_on=[policy])),
    )
    return binding
