"""The Google half of the program: the project's own components, and nothing in the cluster."""

import json
from pathlib import Path

from pulumi import ResourceOptions

from components.gke_cluster import GkeCluster
from components.google_provider import google_provider
from components.gpu_pools import gpu_pools
from components.network import Network
from components.node_pool import NodePool
from components.node_service_account import NodeServiceAccount
from daskfleet.planning.node_pool_spec import system_pool_spec
from tests.daskfleet.planning.documents import planned

FLEET_FILE = "fleet.json"


def declare_fleet() -> None:
    """Declare what ``__main__.py`` declares before it enters the cluster.

    The settings are read from the working directory.
    """
    stack = planned(json.loads(Path(FLEET_FILE).read_text(encoding="utf-8"))).stack
    on_google = ResourceOptions(providers={"gcp": google_provider(stack)})
    network = Network("network", stack=stack, opts=on_google)
    account = NodeServiceAccount("nodes", stack=stack, opts=on_google)
    cluster = GkeCluster(
        "cluster", stack=stack, network=network, service_account=account, opts=on_google
    )
    NodePool(
        stack.system_pool.name,
        spec=system_pool_spec(stack),
        stack=stack,
        cluster=cluster,
        service_account=account,
        after=[network],
        opts=on_google,
    )
    gpu_pools(stack, cluster=cluster, service_account=account, after=[network], opts=on_google)
