"""How many workers each group of a team is declared to have, once no more are there."""

from dataclasses import dataclass
from typing import Any

import pulumi

from components.kubernetes_provider import KubernetesProvider
from daskfleet.planning.plan import TeamPlan, WorkerGroup
from manifests.dask_worker_group import group_name
from manifests.kubeconfig import Kubeconfig

Spec = dict[str, Any]
"""The ``spec`` of a DaskCluster or a DaskWorkerGroup."""


@dataclass(frozen=True, kw_only=True)
class Scaling:
    """Writes the numbers of one Dask cluster's workers.

    With one group the operator retires workers itself. With several it might take another group's
    (``retirement``), so the number reaches it only when nothing is left for it to retire.
    """

    plan: TeamPlan
    cluster: str
    via: KubernetesProvider
    resource: pulumi.Resource
    """What progress is told about."""

    def spec(self, manifest: Spec, group: WorkerGroup) -> Spec:
        """Return the spec with its number of workers."""
        if not self.plan.further_groups or pulumi.runtime.is_dry_run():
            return manifest
        return {**manifest, "worker": {**manifest["worker"], "replicas": self._once_true(group)}}

    def _once_true(self, group: WorkerGroup) -> pulumi.Output[int]:
        async def retire(kubeconfig: Kubeconfig) -> int:
            # Only an `up` asks the Kubernetes API; a preview starts faster without its client.
            from components.gates.retire_workers import (  # noqa: PLC0415
                NotRetiredError,
                retire_surplus,
            )

            team = self.plan.team
            try:
                await retire_surplus(
                    kubeconfig=kubeconfig,
                    namespace=team.name,
                    cluster=self.cluster,
                    group=group_name(self.cluster, group),
                    declared=group.workers,
                    timeout_s=team.ready_timeout_s,
                    report=lambda line: pulumi.log.info(
                        line, resource=self.resource, ephemeral=True
                    ),
                )
            except NotRetiredError as error:
                raise pulumi.RunError(
                    f"Team {team.name}: {error}. Nothing is lost: the others go on, and `pulumi up`"
                    f" tries again, for ready_timeout_s ({team.ready_timeout_s})."
                ) from error
            return group.workers

        # A number is no secret, though the kubeconfig that it waits for is one.
        return pulumi.Output.unsecret(self.via.kubeconfig.apply(retire))
