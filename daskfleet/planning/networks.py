"""Whose network a fleet is in, what that asks of the stack file, and who reaches what."""

from collections.abc import Iterator

from daskfleet.planning.image_streaming import ARTIFACT_REGISTRY
from daskfleet.planning.pools import dask_pools, images_on
from daskfleet.settings.existing_network import ExistingNetwork
from daskfleet.settings.problems import Problem, listed, shown
from daskfleet.settings.stack import Stack

PODS_RANGE = "pods"
SERVICES_RANGE = "services"
"""Secondary ranges of the program's own subnetwork."""

RANGES = ("nodes_cidr", "pods_cidr", "services_cidr")


def host_project(stack: Stack) -> str:
    """The project that has the network."""
    existing = stack.network.existing
    return existing.project or stack.project if existing else stack.project


def is_shared(stack: Stack) -> bool:
    """Whether the network is another project's."""
    return host_project(stack) != stack.project


def network_path(existing: ExistingNetwork, stack: Stack) -> str:
    """The network's resource path, which is the ID that the provider gives it."""
    return f"projects/{host_project(stack)}/global/networks/{existing.network}"


def subnetwork_path(existing: ExistingNetwork, stack: Stack) -> str:
    """The subnetwork's resource path."""
    region = f"projects/{host_project(stack)}/regions/{stack.region}"
    return f"{region}/subnetworks/{existing.subnetwork}"


def pods_range(stack: Stack) -> str:
    """The name of the secondary range that pods have."""
    existing = stack.network.existing
    return existing.pods_range if existing else PODS_RANGE


def services_range(stack: Stack) -> str:
    """The name of the secondary range that Services have."""
    existing = stack.network.existing
    return existing.services_range if existing else SERVICES_RANGE


def network_problems(stack: Stack) -> Iterator[Problem]:
    """What an existing network leaves to be said, or contradicts."""
    network = stack.network
    if network.existing is None:
        return
    for key in RANGES:
        if key not in network.model_fields_set:
            yield Problem(
                key=f"network.{key}",
                value="not given",
                reason="Of a network that exists the program does not know this range, and network "
                "policies close it to teams.",
                allowed=f"the range that subnetwork {network.existing.subnetwork} has",
                next_step=f"write {key}; `gcloud compute networks subnets describe "
                f"{network.existing.subnetwork} --project {host_project(stack)} --region "
                f"{stack.region}` tells it.",
            )
    if "nat" in network.model_fields_set and network.nat == "own":
        yield Problem(
            key="network.nat",
            value="own",
            reason="The program makes nothing in a network that exists, and so no Cloud NAT.",
            allowed="nothing, or none",
            next_step="remove nat; the network's owners decide on the way out.",
        )
    if network.existing.pods_range == network.existing.services_range:
        yield Problem(
            key="network.existing.services_range",
            value=shown(network.existing.services_range),
            reason="Pods have the same secondary range.",
            allowed="the name of another secondary range",
            next_step="name the range that is meant for Services.",
        )


def network_warnings(stack: Stack) -> Iterator[str]:
    """A network without a way out, and a control plane without a way in."""
    if stack.network.existing is None and stack.network.nat == "none":
        images = {image for _, pool in dask_pools(stack) for image in images_on(pool, stack=stack)}
        outside = sorted(image for image in images if not _is_googles(image))
        if outside:
            yield (
                f"The network has no Cloud NAT, and {listed(outside)} is not in Artifact Registry: "
                "nodes cannot pull it unless a route or a proxy of yours leads there."
            )
    if stack.cluster.endpoint.kind == "private":
        yield (
            "The control plane has no address outside of its network: run pulumi, kubectl and "
            "daskfleet where that network is reached, on a runner or a bastion in it or over a VPN."
        )


def _is_googles(image: str) -> bool:
    """Whether nodes reach an image by private Google access."""
    host = image.partition("/")[0]
    return host.endswith((ARTIFACT_REGISTRY, ".gcr.io")) or host == "gcr.io"
