"""What lets the number of a team's workers follow its work."""

import pulumi
import pulumi_kubernetes as kubernetes
from pulumi import ResourceOptions

from components.kubernetes_provider import KubernetesProvider
from daskfleet.contract.dask import CLUSTER_LABEL, DASK_API, PART_OF, PART_OF_LABEL
from daskfleet.planning.plan import TeamPlan
from daskfleet.settings.adaptive import Adaptive
from manifests.dask_generation import generation, suffix

KIND = "DaskAutoscaler"


class DaskAutoscaler(pulumi.ComponentResource):
    """The bounds between which the operator moves the workers of one Dask cluster.

    Owns the DaskAutoscaler, whose bounds the operator reads anew every five seconds, so that they
    change in place. Owns no number of workers: that is the DaskWorkerGroup's, which the operator
    writes, and nothing that Pulumi declares moves with it. The operator makes the DaskAutoscaler a
    child of its cluster, which takes it along; so it is replaced and deleted with that.
    """

    TYPE = "daskfleet:dask:DaskAutoscaler"

    def __init__(
        self,
        name: str,
        *,
        plan: TeamPlan,
        adaptive: Adaptive,
        cluster: pulumi.Resource,
        via: KubernetesProvider,
        opts: ResourceOptions | None = None,
    ) -> None:
        """Declare the bounds, once the ``cluster`` exists; its gate need not have passed."""
        super().__init__(self.TYPE, name, None, opts)
        manifest = generation(plan)
        of_cluster = manifest["metadata"]["name"]
        known = via.options(
            parent=self,
            depends_on=[cluster],
            replace_on_changes=["spec.cluster"],
            delete_before_replace=True,
        )
        kubernetes.apiextensions.CustomResource(
            f"{name}-autoscaler{suffix(manifest)}",
            api_version=DASK_API,
            kind=KIND,
            metadata={
                "name": of_cluster,
                "namespace": plan.team.name,
                "labels": {CLUSTER_LABEL: of_cluster, PART_OF_LABEL: PART_OF},
            },
            spec={
                "cluster": of_cluster,
                "minimum": adaptive.minimum,
                "maximum": adaptive.maximum,
            },
            opts=ResourceOptions.merge(
                known, ResourceOptions(deleted_with=cluster, replace_with=[cluster])
            ),
        )
        self.register_outputs({})
