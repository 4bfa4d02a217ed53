"""A team's RAPIDS Dask cluster, and the address under which it stays known."""

from collections.abc import Sequence
from dataclasses import replace

import pulumi
import pulumi_kubernetes as kubernetes
from pulumi import CustomTimeouts, ResourceOptions

from components.gates.readiness import Declared
from components.gates.scaling import Scaling
from components.kubernetes_provider import KubernetesProvider
from daskfleet.contract.dask import SERVICE_NAME
from daskfleet.planning.plan import TeamPlan, WorkerGroup
from daskfleet.planning.sleep import sleeps
from manifests.dask_generation import generation, resource_name
from manifests.dask_manifest import scheduler_selector, service_ports
from manifests.dask_worker_group import REPLACE_ON as GROUP_REPLACE_ON
from manifests.dask_worker_group import group_name, worker_group_manifest
from manifests.kubeconfig import Kubeconfig

REPLACE_ON = (
    "metadata.labels",
    "spec.idleTimeout",
    "spec.scheduler",
    "spec.worker.spec",
)
"""Everything but ``spec.worker.replicas``, the only field that the operator reconciles: a new
image in place would leave the old pods running (dask-kubernetes#895)."""

REPLICAS = "spec.worker.replicas"
"""Of an adaptive team it stays what it was when the cluster was made: the operator would bring the
workers to another number at once, and below what the work needs."""

TIMEOUTS = CustomTimeouts(delete="15m")
"""Deletion is in the foreground: it ends when the last pod has gone and its GPU is free."""


class DaskCluster(pulumi.ComponentResource):
    """One DaskCluster with its groups of workers, a check that it runs, and a Service.

    Owns those; the Service outlives the cluster. A change of anything but the number of workers is
    another cluster: a ``recreate`` team's is replaced, old before new; a ``blue-green`` team's
    comes up beside the old one, which Pulumi deletes at the very end (``dask_generation``). A
    change of a further group replaces that group alone. Owns neither Deployments nor pods, which
    are the operator's, and never sets ``idleTimeout``, with which the operator would delete what
    Pulumi believes to exist.
    """

    TYPE = "daskfleet:dask:DaskCluster"

    def __init__(
        self,
        name: str,
        *,
        plan: TeamPlan,
        needs: Sequence[pulumi.Resource],
        via: KubernetesProvider,
        certificates_from: pulumi.Output[str] | None = None,
        opts: ResourceOptions | None = None,
    ) -> None:
        """Declare the cluster, after all that it ``needs``: namespace, operator, driver, pools.

        ``certificates_from`` is when its certificates were made, where it speaks TLS.
        """
        super().__init__(self.TYPE, name, None, opts)
        manifest = generation(plan)
        declared = Declared(
            name=manifest["metadata"]["name"],
            namespace=plan.team.name,
            image=plan.image.ref,
            workers=plan.team.minimum_workers,
            is_adaptive=plan.team.adaptive is not None,
            groups={
                group_name(manifest["metadata"]["name"], group): group.workers
                for group in plan.further_groups
            },
            driver=plan.driver,
            may_sleep=sleeps(plan.team),
        )
        scaling = Scaling(plan=plan, cluster=declared.name, via=via, resource=self)

        self.resource: kubernetes.apiextensions.CustomResource = (
            kubernetes.apiextensions.CustomResource(
                resource_name(name, manifest),
                api_version=manifest["apiVersion"],
                kind=manifest["kind"],
                metadata=manifest["metadata"],
                spec=scaling.spec(manifest["spec"], plan.first_group),
                opts=via.options(
                    parent=self,
                    depends_on=needs,
                    replace_on_changes=REPLACE_ON,
                    ignore_changes=[] if plan.team.adaptive is None else [REPLICAS],
                    delete_before_replace=True,
                    timeouts=TIMEOUTS,
                ),
            )
        )
        groups = [
            self._group(name, plan, group, scaling=scaling, via=via)
            for group in plan.further_groups
        ]
        self.selector: pulumi.Output[dict[str, str]] = self._selector_when_ready(
            plan, declared, via.kubeconfig, certificates_from, groups=groups
        )
        service = kubernetes.core.v1.Service(
            f"{name}-address",
            metadata={"name": SERVICE_NAME, "namespace": plan.team.name},
            spec={
                "type": "ClusterIP",
                "selector": self.selector,
                "ports": service_ports(),
            },
            opts=via.options(parent=self, depends_on=needs),
        )
        self.register_outputs({"service": service.metadata["name"]})

    def _group(
        self,
        name: str,
        plan: TeamPlan,
        group: WorkerGroup,
        *,
        scaling: Scaling,
        via: KubernetesProvider,
    ) -> kubernetes.apiextensions.CustomResource:
        """Declare a further group: the operator takes none whose cluster does not exist.

        It goes with its cluster, and has to come again when that does.
        """
        manifest = worker_group_manifest(plan, group, cluster=scaling.cluster)
        suffix = scaling.cluster.removeprefix(plan.team.name)
        return kubernetes.apiextensions.CustomResource(
            f"{name}-group-{group.name}{suffix}",
            api_version=manifest["apiVersion"],
            kind=manifest["kind"],
            metadata=manifest["metadata"],
            spec=scaling.spec(manifest["spec"], group),
            opts=ResourceOptions.merge(
                via.options(
                    parent=self,
                    depends_on=[self.resource],
                    replace_on_changes=GROUP_REPLACE_ON,
                    delete_before_replace=True,
                    timeouts=TIMEOUTS,
                ),
                ResourceOptions(replace_with=[self.resource]),
            ),
        )

    def _selector_when_ready(
        self,
        plan: TeamPlan,
        declared: Declared,
        kubeconfig: pulumi.Output[Kubeconfig],
        certificates_from: pulumi.Output[str] | None,
        *,
        groups: Sequence[kubernetes.apiextensions.CustomResource],
    ) -> pulumi.Output[dict[str, str]]:
        """Return the Service's selector, once the cluster runs as declared.

        This is the gate of ``up``. It is evaluated on every run, also when nothing has changed:
        a Service's own await passes when no pod matches, and a resource hook does not run again
        after it has failed once.
        """

        async def wait(known: list[object]) -> dict[str, str]:
            if not pulumi.runtime.is_dry_run():
                expected = replace(declared, certificates_from=known[2])  # type: ignore[arg-type]
                await self._wait(plan, expected, known[1])  # type: ignore[arg-type]
            return scheduler_selector(declared.name)

        # The selector is no secret, though the kubeconfig that the check needs is one.
        made = (group.id for group in groups)
        known = pulumi.Output.all(self.resource.id, kubeconfig, certificates_from, *made)
        return pulumi.Output.unsecret(known.apply(wait))

    async def _wait(self, plan: TeamPlan, declared: Declared, kubeconfig: Kubeconfig) -> None:
        # Only an `up` asks the Kubernetes API; a preview starts faster without its client.
        from components.gates.readiness_gate import NotReadyError  # noqa: PLC0415
        from components.gates.rollout_gate import Reports, take_over  # noqa: PLC0415

        team = plan.team
        try:
            await take_over(
                kubeconfig=kubeconfig,
                declared=declared,
                rollout=team.rollout,
                timeout_s=team.ready_timeout_s,
                reports=Reports(
                    progress=lambda line: pulumi.log.info(line, resource=self, ephemeral=True),
                    warning=lambda line: pulumi.log.warn(line, resource=self),
                ),
            )
            await self._tell_chains(plan, declared, kubeconfig)
        except NotReadyError as error:
            raise pulumi.RunError(
                f"The Dask cluster of team {team.name} is not ready: {error}\n"
                f"What was created stays, and `pulumi up` checks it again. It waits as long as "
                f"teams[{team.name}].ready_timeout_s says ({team.ready_timeout_s})."
            ) from error

    async def _tell_chains(
        self, plan: TeamPlan, declared: Declared, kubeconfig: Kubeconfig
    ) -> None:
        """Say on which of its pools each chain came up; teams without one ask nothing more."""
        chains = {
            group_name(declared.name, group): tuple(step.generation.name for step in group.steps)
            for group in plan.groups
            if group.fallbacks
        }
        if chains:
            from components.gates.chain_report import chain_report  # noqa: PLC0415

            for line in await chain_report(
                kubeconfig, namespace=plan.team.name, cluster=declared.name, chains=chains
            ):
                pulumi.log.info(line, resource=self)
