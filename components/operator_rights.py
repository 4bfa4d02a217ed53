"""What the Dask operator may do, and where."""

import pulumi
import pulumi_kubernetes as kubernetes
from pulumi import ResourceOptions

from components.enforced_policy import enforced_policy
from components.kubernetes_provider import KubernetesProvider
from daskfleet.planning.plan import FleetPlan
from manifests.operator_rights import (
    TEAM_ROLE,
    WATCH_ROLE,
    operators_account,
    team_rules,
    watch_rules,
)
from manifests.team_admission import POLICY, most_workers, team_policy
from manifests.team_members import RBAC


class OperatorRights(pulumi.ComponentResource):
    """The operator's two roles: what it sees everywhere, and what it does for a team.

    Owns both, the binding of the first, and the policy of what no role can say: what Services and
    how many workers there may be in teams' namespaces. The second role is bound by each team, in
    its namespace: a new team is a new binding, and the operator goes on. Owns no service account,
    which is of the operator's release.
    """

    TYPE = "daskfleet:dask:OperatorRights"

    def __init__(
        self,
        name: str,
        *,
        plan: FleetPlan,
        via: KubernetesProvider,
        opts: ResourceOptions | None = None,
    ) -> None:
        super().__init__(self.TYPE, name, None, opts)
        watch = kubernetes.rbac.v1.ClusterRole(
            f"{name}-watch-role",
            metadata={"name": WATCH_ROLE},
            rules=watch_rules(),
            opts=via.options(parent=self),
        )
        kubernetes.rbac.v1.ClusterRoleBinding(
            f"{name}-watch",
            metadata={"name": WATCH_ROLE},
            role_ref={"apiGroup": RBAC, "kind": "ClusterRole", "name": WATCH_ROLE},
            subjects=[operators_account(plan.stack.operator.namespace)],
            opts=via.options(parent=self, depends_on=[watch]),
        )
        enforced_policy(
            f"{name}-admission",
            name=POLICY,
            spec=team_policy(most_workers(plan.teams)),
            opts=via.options(parent=self),
        )
        kubernetes.rbac.v1.ClusterRole(
            f"{name}-team-role",
            metadata={"name": TEAM_ROLE},
            rules=team_rules(),
            opts=via.options(parent=self),
        )
        self.register_outputs({"team_role": TEAM_ROLE})
