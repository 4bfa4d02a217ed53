"""What is measured of a team's Dask cluster, and the alerts on it."""

from collections.abc import Sequence

import pulumi
import pulumi_kubernetes as kubernetes
from pulumi import ResourceOptions

from components.kubernetes_provider import KubernetesProvider
from daskfleet.contract.dask import PART_OF, PART_OF_LABEL
from daskfleet.planning.monitoring import is_collected, measures_gpus
from daskfleet.planning.plan import TeamPlan
from daskfleet.settings.monitoring import Monitoring
from daskfleet.settings.stack import Stack
from manifests import alert_rules, network_policy
from manifests.pod_monitoring import pod_monitorings

API_VERSION = "monitoring.googleapis.com/v1"
"""Of custom resources that GKE itself defines in a cluster with managed collection."""

LABELS = {PART_OF_LABEL: PART_OF}


class TeamMonitoring(pulumi.ComponentResource):
    """Google's collectors read a team's scheduler and workers, and its rules are evaluated.

    Owns the two PodMonitorings, the rules, and the network policy that lets the collectors in. Owns
    no collector and no receiver of alerts: those are Google's and the project's.
    """

    TYPE = "daskfleet:dask:TeamMonitoring"

    def __init__(
        self,
        name: str,
        *,
        plan: TeamPlan,
        monitoring: Monitoring,
        has_gpu_metrics: bool,
        needs: Sequence[pulumi.Resource],
        via: KubernetesProvider,
        opts: ResourceOptions | None = None,
    ) -> None:
        """Declare it after the ``needs``, by when GKE has brought the definitions."""
        super().__init__(self.TYPE, name, None, opts)
        team = plan.team
        child = via.options(parent=self, depends_on=needs)
        kubernetes.networking.v1.NetworkPolicy(
            f"{name}-metrics-collector",
            metadata={"name": "metrics-collector", "namespace": team.name},
            spec=network_policy.metrics_collector(team),
            opts=child,
        )
        for job, spec in pod_monitorings(team).items():
            kubernetes.apiextensions.CustomResource(
                f"{name}-{job}-metrics",
                api_version=API_VERSION,
                kind="PodMonitoring",
                metadata={"name": job, "namespace": team.name, "labels": LABELS},
                spec=spec,
                opts=child,
            )
        rules = kubernetes.apiextensions.CustomResource(
            f"{name}-alerts",
            api_version=API_VERSION,
            kind="Rules",
            metadata={"name": alert_rules.NAME, "namespace": team.name, "labels": LABELS},
            spec=alert_rules.alert_rules(
                team, alerts=monitoring.alerts, measures_gpus=has_gpu_metrics
            ),
            opts=child,
        )
        self.register_outputs({"rules": rules.id})


def team_monitoring(
    name: str,
    *,
    plan: TeamPlan,
    stack: Stack,
    needs: Sequence[pulumi.Resource],
    via: KubernetesProvider,
) -> list[TeamMonitoring]:
    """Declare the monitoring of a team, where its stack wants any."""
    if stack.monitoring is None or not is_collected(stack):
        return []
    return [
        TeamMonitoring(
            name,
            plan=plan,
            monitoring=stack.monitoring,
            has_gpu_metrics=measures_gpus(stack) and any(each.has_gpu for each in plan.groups),
            needs=needs,
            via=via,
        )
    ]
