"""Whether an existing network has the ranges that teams are kept out of."""

import pulumi
import pulumi_gcp as gcp

from daskfleet.settings.cluster import Network


def only_with_known_ranges(
    host: pulumi.Output[str], *, cluster: gcp.container.Cluster, network: Network
) -> pulumi.Output[str]:
    """Return the way into a cluster once its ranges are those of the stack file.

    Of a network of the program's own they are. Of another one the stack file only says so, and
    network policies would keep teams out of the wrong addresses: then nothing may be made in the
    cluster.

    Raises:
        pulumi.RunError: when the output resolves, for other ranges.
    """
    if network.existing is None:
        return host

    def checked(known: list[str]) -> str:
        way, pods, services = known
        if wrong := wrong_ranges(network, pods=pods, services=services):
            raise pulumi.RunError(wrong)
        return way

    return pulumi.Output.all(host, cluster.cluster_ipv4_cidr, cluster.services_ipv4_cidr).apply(
        checked
    )


def wrong_ranges(network: Network, *, pods: str, services: str) -> str:
    """Say which ranges the cluster has otherwise; empty where they are as declared."""
    return " ".join(
        f"daskfleet:network.{key} is {declared}, but the cluster has {found}: write that, so that "
        "network policies keep teams out of it."
        for key, declared, found in (
            ("pods_cidr", str(network.pods_cidr), pods),
            ("services_cidr", str(network.services_cidr), services),
        )
        if declared != found
    )
