"""A team's namespace, and what limits and protects it."""

import pulumi
import pulumi_kubernetes as kubernetes
from pulumi import ResourceOptions

from components import network_policy
from components.dask_contract import PART_OF, PART_OF_LABEL, SERVICE_ACCOUNT
from components.kubernetes_provider import KubernetesProvider
from planning.node_contract import GPU_RESOURCE
from planning.plan import TeamPlan
from planning.rollouts import clusters_at_once
from settings.stack import Stack
from settings.team import Team as TeamSettings


class Team(pulumi.ComponentResource):
    """The namespace of one team, also of one that is retired.

    Owns the namespace and the rules that hold in it: Pod Security ``restricted``, a GPU quota of
    exactly what the team's Dask cluster and its rollout need, defaults for pods that state no
    resources, and network policies that let in nobody but the team and the operator. Owns no
    disruption budget: a scheduler is a single pod, so a budget could only hold up Google's
    maintenance for an hour. The namespace is protected, for the sake of what the team keeps in it,
    until it is retired.
    """

    TYPE = "daskfleet:dask:Team"

    def __init__(
        self,
        name: str,
        *,
        team: TeamSettings,
        gpus: int,
        stack: Stack,
        via: KubernetesProvider,
        opts: ResourceOptions | None = None,
    ) -> None:
        """Declare the namespace, with ``gpus`` as the most that its pods may ask for."""
        super().__init__(self.TYPE, name, None, opts)

        self.namespace: kubernetes.core.v1.Namespace = kubernetes.core.v1.Namespace(
            f"{name}-namespace",
            metadata={"name": team.name, "labels": namespace_labels(team.labels)},
            opts=via.options(parent=self, protect=stack.long_lived and not team.retire),
        )
        inside = via.options(parent=self, depends_on=[self.namespace])

        kubernetes.core.v1.ServiceAccount(
            f"{name}-service-account",
            metadata={"name": SERVICE_ACCOUNT, "namespace": team.name},
            automount_service_account_token=False,
            opts=inside,
        )
        kubernetes.core.v1.ResourceQuota(
            f"{name}-gpu-quota",
            metadata={"name": "gpus", "namespace": team.name},
            spec={"hard": {f"requests.{GPU_RESOURCE}": str(gpus)}},
            opts=inside,
        )
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
        self.register_outputs({"namespace": team.name})


def namespace_labels(billing: dict[str, str]) -> dict[str, str]:
    """Labels that the API server enforces, and those that the bill is split by."""
    return {
        **billing,
        PART_OF_LABEL: PART_OF,
        "pod-security.kubernetes.io/enforce": "restricted",
        "pod-security.kubernetes.io/warn": "restricted",
    }


def gpu_quota(plan: TeamPlan) -> int:
    """GPUs of all workers and the scheduler; twice that for two clusters in a blue-green roll.

    With ``recreate`` nothing on top: the old pods are gone before the new ones come.
    """
    one_cluster = plan.team.workers * plan.worker.gpus + plan.scheduler.gpus
    return one_cluster * clusters_at_once(plan.team)
