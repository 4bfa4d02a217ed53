"""The pools of Dask pods, most of them with GPUs, and what they do for each other."""

from collections.abc import Sequence

import pulumi
from pulumi import ResourceHookBinding, ResourceOptions

from components.gates.driver_roll import DriverRoll
from components.gke_cluster import GkeCluster
from components.node_pool import NodePool
from components.node_service_account import NodeServiceAccount
from daskfleet.planning.node_pool_spec import NodePoolSpec, gpu_pool_specs
from daskfleet.settings.stack import Stack


def gpu_pools(
    stack: Stack,
    *,
    cluster: GkeCluster,
    service_account: NodeServiceAccount,
    after: Sequence[pulumi.Resource],
    opts: ResourceOptions,
) -> dict[str, NodePool]:
    """Declare the pools of Dask pods, by their names in the stack file, after the installer.

    A node is only re-created for another driver when its installer is there. They do not wait for
    the system pool: GKE's own Deployments tolerate no ``nvidia.com/gpu`` taint and stay Pending
    until it is there (kubernetes#57659, Neutrollized/free-tier-gke#6), and that taint is declared
    here, not left to GKE, which adds it only beside a pool without GPUs. Worker pools without GPUs
    have a taint of their own for the same reason.
    """

    def pool(
        spec: NodePoolSpec,
        *,
        sysctls: pulumi.Input[dict[str, str]] | None = None,
        hooks: ResourceHookBinding | None = None,
    ) -> NodePool:
        return NodePool(
            spec.name,
            spec=spec,
            stack=stack,
            cluster=cluster,
            service_account=service_account,
            sysctls=sysctls,
            after=after,
            hooks=hooks,
            opts=opts,
        )

    schedulers, *workers = gpu_pool_specs(stack)
    roll = DriverRoll()
    scheduler_pool = pool(schedulers, hooks=roll.hooks())

    def worker_pool(spec: NodePoolSpec) -> NodePool:
        if spec.gpus is None:
            return pool(spec)  # no driver that it could wait for
        return pool(spec, sysctls=roll.goes_on_with(spec.sysctls, after=scheduler_pool.resource))

    return {
        schedulers.name: scheduler_pool,
        **{spec.name: worker_pool(spec) for spec in workers},
    }
