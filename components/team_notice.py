"""What a team's members must know of their cluster, in a place that they may read."""

from collections.abc import Iterable, Sequence

import pulumi
import pulumi_kubernetes as kubernetes
from pulumi import ResourceOptions

from components.kubernetes_provider import KubernetesProvider
from components.outputs.notice import notice, notice_text
from daskfleet.contract.dask import PART_OF, PART_OF_LABEL
from daskfleet.contract.notice import CONFIG_MAP, KEY
from daskfleet.planning.node_pool_spec import NodePoolSpec
from daskfleet.planning.plan import TeamPlan
from daskfleet.settings.stack import Stack


class TeamNotice(pulumi.ComponentResource):
    """The team's part of what the stack's outputs tell, for members who cannot read those.

    Owns the ConfigMap. The right to read it is the members' role's (``Team``). Nothing secret is in
    it, and no pod reads it, so a change of it touches nothing that runs.
    """

    TYPE = "daskfleet:dask:TeamNotice"

    def __init__(
        self,
        name: str,
        *,
        plan: TeamPlan,
        stack: Stack,
        pools: Iterable[NodePoolSpec],
        needs: Sequence[pulumi.Resource],
        via: KubernetesProvider,
        opts: ResourceOptions | None = None,
    ) -> None:
        """Declare it, after all that it tells of: an `up` that fails on the way leaves it."""
        super().__init__(self.TYPE, name, None, opts)
        told = notice(plan, stack=stack, pools=pools, stack_name=pulumi.get_stack())
        kubernetes.core.v1.ConfigMap(
            f"{name}-notice",
            metadata={
                "name": CONFIG_MAP,
                "namespace": plan.team.name,
                "labels": {PART_OF_LABEL: PART_OF},
            },
            data={KEY: notice_text(told)},
            opts=via.options(parent=self, depends_on=needs),
        )
        self.register_outputs({"config_map": CONFIG_MAP})
