"""The fleet, as a table of contents: a network, a GKE cluster, its pools, and a Dask per team."""

import pulumi
from pulumi import ResourceOptions

from components.dask_operator import DaskOperator
from components.gke_cluster import GkeCluster
from components.google_provider import google_provider
from components.gpu_pools import gpu_pools
from components.image_prepull import image_prepulls
from components.internal_address import internal_addresses
from components.interruption import be_quiet_when_interrupted
from components.kubernetes_provider import KubernetesProvider
from components.network import Network
from components.node_pool import system_node_pool
from components.node_service_account import NodeServiceAccount
from components.nvidia_driver import NvidiaDriver
from components.operator_rights import OperatorRights
from components.outputs.fleet import fleet_outputs
from components.protection import protect_fleet
from components.teams import declare_namespaces, declare_teams
from daskfleet.planning.program import plan_current_stack


def declare_fleet() -> None:
    """Declare the fleet of the stack that is run, or raise ``pulumi.RunError`` if it is refused."""
    be_quiet_when_interrupted()
    plan = plan_current_stack()
    stack = plan.stack
    on_google = ResourceOptions(providers={"gcp": google_provider(stack)})
    network = Network("network", stack=stack, opts=on_google)
    node_account = NodeServiceAccount("nodes", stack=stack, opts=on_google)
    cluster = GkeCluster(
        "cluster", stack=stack, network=network, service_account=node_account, opts=on_google
    )
    system_pool = system_node_pool(
        stack, cluster=cluster, service_account=node_account, after=[network], opts=on_google
    )
    in_cluster = KubernetesProvider("kubernetes", stack=stack, cluster=cluster)
    driver = NvidiaDriver("nvidia-driver", stack=stack, via=in_cluster)
    prepulls = image_prepulls(plan, via=in_cluster)
    pools = gpu_pools(
        stack,
        cluster=cluster,
        service_account=node_account,
        after=[network, driver],
        opts=on_google,
    )
    rights = OperatorRights("operator-rights", plan=plan, via=in_cluster)
    namespaces = declare_namespaces(plan, rights=rights, via=in_cluster)
    operator = DaskOperator(
        "dask",
        stack=stack,
        system_pool=system_pool,
        rights=rights,
        teams=namespaces,
        via=in_cluster,
    )
    teams = declare_teams(
        plan,
        namespaces=namespaces,
        needs=[operator, driver],
        pools=pools,
        prepulls=prepulls,
        via=in_cluster,
        opts=on_google,
    )
    everything = [network, node_account, cluster, system_pool, *pools.values(), driver, operator]
    protect_fleet(is_on=stack.long_lived, over=[*everything, rights, *prepulls, *teams])

    for output, value in fleet_outputs(plan, internal_addresses=internal_addresses(teams)).items():
        pulumi.export(output, value)
