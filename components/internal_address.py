"""A team's address inside of the VPC."""

from collections.abc import Sequence

import pulumi
import pulumi_kubernetes as kubernetes
from pulumi import ResourceOptions

from components.kubernetes_provider import KubernetesProvider
from daskfleet.contract.dask import COMM_PORT, INTERNAL_SERVICE_NAME
from daskfleet.settings.access import InternalLoadBalancer
from daskfleet.settings.team import Team
from manifests import network_policy
from manifests.dask_manifest import service_ports
from manifests.dask_tls import scheme

INTERNAL = {"networking.gke.io/load-balancer-type": "Internal"}
"""Without it GKE makes an address on the internet
(cloud.google.com/kubernetes-engine/docs/how-to/internal-load-balancing)."""


class InternalAddress(pulumi.ComponentResource):
    """A load balancer that only the sources of a list may use, and only inside of the VPC.

    Owns its Service, beside the stable one, which stays as it is, and the network policy that lets
    the sources in. Owns no load balancer: that is GKE's, with its firewall rules.
    """

    TYPE = "daskfleet:dask:InternalAddress"

    def __init__(
        self,
        name: str,
        *,
        team: Team,
        balancer: InternalLoadBalancer,
        selector: pulumi.Output[dict[str, str]],
        needs: Sequence[pulumi.Resource],
        via: KubernetesProvider,
        opts: ResourceOptions | None = None,
    ) -> None:
        """Declare the address, which leads where the ``selector`` does."""
        super().__init__(self.TYPE, name, None, opts)
        policy = kubernetes.networking.v1.NetworkPolicy(
            f"{name}-load-balancer-clients",
            metadata={"name": "load-balancer-clients", "namespace": team.name},
            spec=network_policy.load_balancer_clients(team, balancer),
            opts=via.options(parent=self, depends_on=needs),
        )
        service = kubernetes.core.v1.Service(
            f"{name}-internal-address",
            metadata={
                "name": INTERNAL_SERVICE_NAME,
                "namespace": team.name,
                "annotations": INTERNAL,
            },
            spec={
                "type": "LoadBalancer",
                # Cluster would show a node's address in place of the client's to the policy.
                "external_traffic_policy": "Local",
                "load_balancer_source_ranges": [str(each) for each in balancer.source_ranges],
                "selector": selector,
                "ports": service_ports(),
            },
            opts=via.options(parent=self, depends_on=[*needs, policy]),
        )
        self.team: str = team.name
        self.address: pulumi.Output[str] = service.status.apply(
            lambda status: f"{scheme(team)}://{status.load_balancer.ingress[0].ip}:{COMM_PORT}"
        )
        self.register_outputs({"service": service.metadata["name"]})


def internal_addresses(declared: Sequence[pulumi.Resource]) -> dict[str, pulumi.Output[str]]:
    """Return the addresses among what was declared, by team."""
    return {each.team: each.address for each in declared if isinstance(each, InternalAddress)}
