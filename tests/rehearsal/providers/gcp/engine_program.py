"""A program with every Google resource type that the project uses."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pulumi
import pulumi_gcp as gcp
from pulumi import ResourceOptions

from tests.rehearsal.providers.gcp.conftest import PROJECT

ZONE = "us-central1-c"
RESOURCES = 11
"""The stack itself, the provider, and nine resources."""


@dataclass(frozen=True, kw_only=True)
class Wishes:
    """What the program under test asks for."""

    node_count: int = 2
    driver: str = "INSTALLATION_DISABLED"
    channel: str = "STABLE"
    deletion_protection: bool = False


def program(wishes: Wishes) -> Callable[[], None]:
    """Every resource type that the project uses, wired as the project wires them."""

    def run() -> None:
        provider = gcp.Provider("google", project=PROJECT, add_pulumi_attribution_label=False)
        options = ResourceOptions(provider=provider)
        vpc = gcp.compute.Network("vpc", name="rapids", auto_create_subnetworks=False, opts=options)
        subnet = _subnetwork(vpc, options)
        router = gcp.compute.Router(
            "router", name="rapids", network=vpc.id, region="us-central1", opts=options
        )
        gcp.compute.RouterNat(
            "nat",
            name="rapids",
            router=router.name,
            region="us-central1",
            nat_ip_allocate_option="AUTO_ONLY",
            source_subnetwork_ip_ranges_to_nat="ALL_SUBNETWORKS_ALL_IP_RANGES",
            opts=options,
        )
        account = gcp.serviceaccount.Account("account", account_id="rapids-nodes", opts=options)
        gcp.projects.IAMMember(
            "grant",
            project=PROJECT,
            role="roles/container.defaultNodeServiceAccount",
            member=account.member,
            opts=options,
        )
        cluster = _cluster(wishes, vpc, subnet, options)
        nodes = {"service_account": account.email}
        machine = {**nodes, "machine_type": "e2-standard-4"}
        _pool("system", machine, size=1, cluster=cluster, options=options)
        gpus = {
            "type": "nvidia-tesla-a100",
            "count": 2,
            "gpu_driver_installation_config": {"gpu_driver_version": wishes.driver},
        }
        machine = {**nodes, "machine_type": "a2-highgpu-2g", "guest_accelerators": [gpus]}
        _pool("a100", machine, size=wishes.node_count, cluster=cluster, options=options)
        pulumi.export("endpoint", cluster.endpoint)
        pulumi.export("ca", cluster.master_auth.cluster_ca_certificate)

    return run


def _subnetwork(vpc: gcp.compute.Network, options: ResourceOptions) -> gcp.compute.Subnetwork:
    return gcp.compute.Subnetwork(
        "subnet",
        name="rapids",
        network=vpc.id,
        region="us-central1",
        ip_cidr_range="10.0.0.0/20",
        secondary_ip_ranges=[
            {"range_name": "pods", "ip_cidr_range": "10.4.0.0/14"},
            {"range_name": "services", "ip_cidr_range": "10.8.0.0/20"},
        ],
        opts=options,
    )


def _cluster(
    wishes: Wishes,
    vpc: gcp.compute.Network,
    subnet: gcp.compute.Subnetwork,
    options: ResourceOptions,
) -> gcp.container.Cluster:
    return gcp.container.Cluster(
        "cluster",
        name="rapids-gpu",
        location=ZONE,
        network=vpc.id,
        subnetwork=subnet.id,
        ip_allocation_policy={
            "cluster_secondary_range_name": "pods",
            "services_secondary_range_name": "services",
        },
        remove_default_node_pool=True,
        initial_node_count=1,
        release_channel={"channel": wishes.channel},
        deletion_protection=wishes.deletion_protection,
        opts=options,
    )


def _pool(
    name: str,
    machine: dict[str, Any],
    *,
    size: int,
    cluster: gcp.container.Cluster,
    options: ResourceOptions,
) -> None:
    gcp.container.NodePool(
        name,
        name=name,
        cluster=cluster.name,
        location=ZONE,
        node_count=size,
        node_config=machine,
        opts=options,
    )
