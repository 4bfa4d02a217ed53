"""A Role in a team's namespace, and who has it."""

from collections.abc import Sequence

import pulumi
import pulumi_kubernetes as kubernetes
from pulumi import ResourceOptions

from manifests.team_members import RBAC, PolicyRule, Subject


def granted_role(
    role: str,
    binding: str,
    *,
    name: str,
    namespace: str,
    rules: Sequence[PolicyRule],
    subjects: Sequence[Subject],
    opts: ResourceOptions,
    needs: Sequence[pulumi.Resource] = (),
) -> pulumi.Resource:
    """Declare the Role and its RoleBinding, which is returned.

    Args:
        role: the Role's name in Pulumi's state.
        binding: the RoleBinding's.
        name: of both in the cluster.
        namespace: the team's.
        rules: what may be done.
        subjects: who may.
        opts: of both.
        needs: what the binding comes after, besides the Role.

    """
    metadata = {"name": name, "namespace": namespace}
    declared = kubernetes.rbac.v1.Role(role, metadata=metadata, rules=[*rules], opts=opts)
    bound: pulumi.Resource = kubernetes.rbac.v1.RoleBinding(
        binding,
        metadata=metadata,
        role_ref={"apiGroup": RBAC, "kind": "Role", "name": name},
        subjects=[*subjects],
        opts=ResourceOptions.merge(opts, ResourceOptions(depends_on=[declared, *needs])),
    )
    return bound
