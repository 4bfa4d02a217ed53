"""Room and rights for Dask clusters that a team's members make for themselves."""

from collections.abc import Sequence

import pulumi
import pulumi_kubernetes as kubernetes
import yaml
from pulumi import ResourceOptions

from components.enforced_policy import enforced_policy
from components.granted_role import granted_role
from components.kubernetes_provider import KubernetesProvider
from daskfleet.planning.plan import TeamPlan
from daskfleet.planning.rollouts import clusters_at_once
from daskfleet.settings.ephemeral import Ephemeral
from manifests.ephemeral_admission import admission_policy
from manifests.ephemeral_rules import SPEC_CONFIG_MAP, SPEC_KEY, clusters_quota, ephemeral_rules
from manifests.ephemeral_spec import default_name, make_cluster_spec
from manifests.team_members import subject

ROLE = "ephemeral-clusters"


class EphemeralClusters(pulumi.ComponentResource):
    """What lets members make, scale and delete DaskClusters beside the fixed one.

    Owns a quota of DaskClusters, the members' role for them, the admission policy without which
    that role would reach the fixed cluster too, and a spec to make one from. Owns no such cluster:
    they are the members', and Pulumi knows of none. GPUs for them are in the team's GPU quota.
    """

    TYPE = "daskfleet:dask:EphemeralClusters"

    def __init__(
        self,
        name: str,
        *,
        plan: TeamPlan,
        ephemeral: Ephemeral,
        operator_namespace: str,
        cluster: pulumi.Resource,
        needs: Sequence[pulumi.Resource],
        via: KubernetesProvider,
        opts: ResourceOptions | None = None,
    ) -> None:
        """Declare it, the protection before the rights.

        The quota comes after the fixed ``cluster``: until Kubernetes has counted what there is of a
        kind, it refuses every creation of one ("status unknown for quota").
        """
        super().__init__(self.TYPE, name, None, opts)
        team = plan.team.name
        inside = via.options(parent=self, depends_on=needs)
        kubernetes.core.v1.ResourceQuota(
            f"{name}-cluster-quota",
            metadata={"name": ROLE, "namespace": team},
            spec={"hard": clusters_quota(clusters_at_once(plan.team) + ephemeral.max_clusters)},
            opts=ResourceOptions.merge(inside, ResourceOptions(depends_on=[cluster])),
        )
        kubernetes.core.v1.ConfigMap(
            f"{name}-cluster-spec",
            metadata={"name": SPEC_CONFIG_MAP, "namespace": team},
            data={SPEC_KEY: yaml.safe_dump(make_cluster_spec(plan, name=default_name(plan)))},
            opts=inside,
        )
        enforced = enforced_policy(
            f"{name}-cluster-admission",
            name=f"daskfleet-{ROLE}-{team}",
            spec=admission_policy(
                plan, max_workers=ephemeral.max_workers, operator_namespace=operator_namespace
            ),
            opts=inside,
        )
        granted_role(
            f"{name}-cluster-role",
            f"{name}-cluster-makers",
            name=ROLE,
            namespace=team,
            rules=ephemeral_rules(),
            subjects=[subject(member) for member in plan.team.members],
            opts=ResourceOptions.merge(inside, ResourceOptions(depends_on=[enforced])),
        )
        self.register_outputs({"spec": SPEC_CONFIG_MAP})
