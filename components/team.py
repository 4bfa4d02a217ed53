"""A team's namespace, and what limits and protects it."""

from collections.abc import Callable

import pulumi
import pulumi_kubernetes as kubernetes
from pulumi import ResourceOptions

from components.kubernetes_provider import KubernetesProvider
from components.operator_rights import OperatorRights
from daskfleet.contract.dask import PART_OF, PART_OF_LABEL, SERVICE_ACCOUNT
from daskfleet.planning.plan import PodResources, TeamPlan
from daskfleet.planning.registry import pull_secret_of
from daskfleet.settings.stack import Stack
from daskfleet.settings.team import Team as TeamSettings
from manifests import network_policy
from manifests.dask_generation import generation
from manifests.operator_rights import TEAM_BINDING, TEAM_ROLE, operators_account
from manifests.team_members import RBAC, member_rules, subject
from manifests.team_quotas import ResourceList, gpu_quota, team_quota

MEMBER_ROLE = "member"


class Team(pulumi.ComponentResource):
    """The namespace of one team, also of one that is retired.

    Owns the namespace and the rules that hold in it: Pod Security ``restricted``, a GPU quota of
    what the team's Dask cluster and its rollout need, a quota of all else where the team
    has one, defaults for pods that state no resources, network policies that let in nobody but the
    team and the operator, and what the team's members and the operator may do. Owns no disruption
    budget: a scheduler is a single pod, so a budget could only hold up Google's maintenance for an
    hour. And no right outside of the namespace. The namespace is protected, for the sake of what
    the team keeps in it, until it is retired.
    """

    TYPE = "daskfleet:dask:Team"

    def __init__(
        self,
        name: str,
        *,
        team: TeamSettings,
        plan: TeamPlan | None,
        stack: Stack,
        rights: OperatorRights,
        via: KubernetesProvider,
        opts: ResourceOptions | None = None,
    ) -> None:
        """Declare the namespace, with room for what is planned; None for a team that is retired."""
        super().__init__(self.TYPE, name, None, opts)

        self.namespace: kubernetes.core.v1.Namespace = kubernetes.core.v1.Namespace(
            f"{name}-namespace",
            metadata={"name": team.name, "labels": namespace_labels(team.labels)},
            opts=via.options(parent=self, protect=stack.long_lived and not team.retire),
        )
        inside = via.options(parent=self, depends_on=[self.namespace])
        self.operator_binding: kubernetes.rbac.v1.RoleBinding = kubernetes.rbac.v1.RoleBinding(
            f"{name}-operators-rights",
            metadata={"name": TEAM_BINDING, "namespace": team.name},
            role_ref={"apiGroup": RBAC, "kind": "ClusterRole", "name": TEAM_ROLE},
            subjects=[operators_account(stack.operator.namespace)],
            opts=via.options(parent=self, depends_on=[self.namespace, rights]),
        )

        kubernetes.core.v1.ServiceAccount(
            f"{name}-service-account",
            metadata={"name": SERVICE_ACCOUNT, "namespace": team.name},
            automount_service_account_token=False,
            image_pull_secrets=_pull_secrets(team, stack),
            opts=inside,
        )
        self._limit(name, team=team, plan=plan, via=via, inside=inside)
        kubernetes.core.v1.LimitRange(
            f"{name}-defaults",
            metadata={"name": "defaults", "namespace": team.name},
            spec={
                "limits": [
                    {
                        # No default CPU limit: it would throttle the Dask pods, which set none.
                        "type": "Container",
                        "defaultRequest": {"cpu": "100m", "memory": "256Mi"},
                        "default": {"memory": "1Gi"},
                    }
                ]
            },
            opts=inside,
        )
        policies = {
            "default-deny": network_policy.default_deny(),
            "egress": network_policy.namespace_egress(stack.network),
            "dask-peers": network_policy.dask_peers(team),
            "scheduler-clients": network_policy.scheduler_clients(
                team, operator_namespace=stack.operator.namespace
            ),
            "client-egress": network_policy.client_egress(team),
        }
        for policy_name, spec in policies.items():
            kubernetes.networking.v1.NetworkPolicy(
                f"{name}-{policy_name}",
                metadata={"name": policy_name, "namespace": team.name},
                spec=spec,
                opts=inside,
            )
        if team.members:
            self._let_in_members(name, team=team, inside=inside)
        self.register_outputs({"namespace": team.name})

    def _limit(
        self,
        name: str,
        *,
        team: TeamSettings,
        plan: TeamPlan | None,
        via: KubernetesProvider,
        inside: ResourceOptions,
    ) -> None:
        """Declare the quotas, which a roll finds large enough for what it takes over from."""
        serving = _serving(plan, via, after=self.namespace)
        kubernetes.core.v1.ResourceQuota(
            f"{name}-gpu-quota",
            metadata={"name": "gpus", "namespace": team.name},
            spec={"hard": _with(serving, lambda pods: gpu_quota(plan, serving=pods))},
            opts=inside,
        )
        quota = team.quota
        if quota is not None:
            kubernetes.core.v1.ResourceQuota(
                f"{name}-team-quota",
                metadata={"name": "team", "namespace": team.name},
                spec={
                    "hard": _with(serving, lambda pods: team_quota(quota, plan=plan, serving=pods))
                },
                opts=inside,
            )

    def _let_in_members(self, name: str, *, team: TeamSettings, inside: ResourceOptions) -> None:
        role = kubernetes.rbac.v1.Role(
            f"{name}-member-role",
            metadata={"name": MEMBER_ROLE, "namespace": team.name},
            rules=member_rules(team.tls, may_scale=not team.groups),
            opts=inside,
        )
        kubernetes.rbac.v1.RoleBinding(
            f"{name}-members",
            metadata={"name": "members", "namespace": team.name},
            role_ref={"apiGroup": RBAC, "kind": "Role", "name": MEMBER_ROLE},
            subjects=[subject(member) for member in team.members],
            opts=ResourceOptions.merge(inside, ResourceOptions(depends_on=[role])),
        )


def _pull_secrets(team: TeamSettings, stack: Stack) -> list[dict[str, str]] | None:
    """Return what the account's pods pull with, whoever makes them: operator, notebook or check.

    Kubernetes writes it into each new pod of the account that names none, and so another Secret is
    no other Dask cluster (kubernetes.io, "Configure Service Accounts for Pods").
    """
    secret = pull_secret_of(team, stack)
    return [{"name": secret}] if secret else None


def namespace_labels(billing: dict[str, str]) -> dict[str, str]:
    """Labels that the API server enforces, and those that the bill is split by."""
    return {
        **billing,
        PART_OF_LABEL: PART_OF,
        "pod-security.kubernetes.io/enforce": "restricted",
        "pod-security.kubernetes.io/warn": "restricted",
    }


Pods = tuple[PodResources, ...]


def _serving(
    plan: TeamPlan | None, via: KubernetesProvider, *, after: pulumi.CustomResource
) -> pulumi.Output[Pods] | None:
    """What serves a blue-green team beside its declared cluster; None where nobody looks.

    A preview does not, and shows the quota of two clusters of the declared size. In an `up` the
    one that serves may be larger, and goes last: the `up` after that one takes its room away.

    The output depends on no resource, as in the preview: `up --plan` refuses a quota that does
    ("violates plan: dependencies changed").
    """
    if plan is None or plan.team.rollout.kind != "blue-green" or pulumi.runtime.is_dry_run():
        return None
    name, declared = plan.team.name, generation(plan)["metadata"]["name"]
    # Once the namespace is there, so is an API server that answers.
    known = pulumi.Output.all(via.kubeconfig, after.id)

    async def look() -> Pods:
        # Only an `up` asks the Kubernetes API; a preview starts faster without its client.
        from components.gates.serving_pods import serving_pods  # noqa: PLC0415

        found = await known.future()  # None where `--target` leaves the cluster out
        if found is None:
            return ()
        return await serving_pods(found[0], namespace=name, declared=declared)

    # Sizes of pods are no secret, though the kubeconfig that they are asked with is one.
    return pulumi.Output.from_input(look())


def _with(
    serving: pulumi.Output[Pods] | None, quota: Callable[[Pods], ResourceList]
) -> ResourceList | pulumi.Output[ResourceList]:
    return quota(()) if serving is None else serving.apply(quota)
