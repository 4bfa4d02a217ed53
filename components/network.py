"""The VPC-native network of one GKE cluster: its own, or one that exists."""

import pulumi
import pulumi_gcp as gcp
from pulumi import ResourceOptions

from daskfleet.planning.networks import (
    PODS_RANGE,
    SERVICES_RANGE,
    network_path,
    subnetwork_path,
)
from daskfleet.settings.stack import Stack


class Network(pulumi.ComponentResource):
    """A VPC with one subnet for nodes, secondary ranges for pods and Services, and NAT.

    Nodes have no public address: images and data come in through Cloud NAT, Google's own APIs
    through private Google access; so whoever starts nodes for pods of ours depends on the whole
    component and not only on the subnet. Owns no firewall rule: GKE writes those of its clusters,
    and traffic between pods is the business of network policies.

    Of a network that exists it owns nothing: it says where that is.
    """

    TYPE = "daskfleet:gke:Network"

    def __init__(self, name: str, *, stack: Stack, opts: ResourceOptions | None = None) -> None:
        super().__init__(self.TYPE, name, None, opts)
        self.vpc_id: pulumi.Output[str]
        self.subnet_id: pulumi.Output[str]
        existing = stack.network.existing
        if existing is None:
            self._make(name, stack=stack)
        else:
            self.vpc_id = pulumi.Output.from_input(network_path(existing, stack))
            self.subnet_id = pulumi.Output.from_input(subnetwork_path(existing, stack))
        self.register_outputs({"vpcId": self.vpc_id, "subnetId": self.subnet_id})

    def _make(self, name: str, *, stack: Stack) -> None:
        child = ResourceOptions(parent=self)
        base_name = stack.cluster.name
        vpc = gcp.compute.Network(
            f"{name}-vpc", name=base_name, auto_create_subnetworks=False, opts=child
        )
        subnet = gcp.compute.Subnetwork(
            f"{name}-nodes",
            name=f"{base_name}-nodes",
            network=vpc.id,
            region=stack.region,
            ip_cidr_range=str(stack.network.nodes_cidr),
            private_ip_google_access=True,
            secondary_ip_ranges=[
                gcp.compute.SubnetworkSecondaryIpRangeArgs(
                    range_name=PODS_RANGE, ip_cidr_range=str(stack.network.pods_cidr)
                ),
                gcp.compute.SubnetworkSecondaryIpRangeArgs(
                    range_name=SERVICES_RANGE, ip_cidr_range=str(stack.network.services_cidr)
                ),
            ],
            opts=child,
        )
        if stack.network.has_own_nat:
            self._make_nat(name, vpc=vpc, stack=stack)
        self.vpc_id = vpc.id
        self.subnet_id = subnet.id

    def _make_nat(self, name: str, *, vpc: gcp.compute.Network, stack: Stack) -> None:
        child = ResourceOptions(parent=self)
        router = gcp.compute.Router(
            f"{name}-router",
            name=f"{stack.cluster.name}-router",
            network=vpc.id,
            region=stack.region,
            opts=child,
        )
        gcp.compute.RouterNat(
            f"{name}-nat",
            name=f"{stack.cluster.name}-nat",
            router=router.name,
            region=stack.region,
            nat_ip_allocate_option="AUTO_ONLY",
            source_subnetwork_ip_ranges_to_nat="ALL_SUBNETWORKS_ALL_IP_RANGES",
            opts=child,
        )
