"""Pure: whether a network that exists can carry the fleet."""

from collections.abc import Iterator
from ipaddress import IPv4Network

from daskfleet.planning.networks import host_project, network_path
from daskfleet.platform.doctor.model import Area, Finding, Outcome
from daskfleet.platform.doctor.network_answers import Routers, Subnetwork
from daskfleet.settings.existing_network import ExistingNetwork
from daskfleet.settings.stack import Stack


def missing_subnetwork(existing: ExistingNetwork, stack: Stack) -> Finding:
    """Say that there is no such subnetwork."""
    host = host_project(stack)
    return Finding(
        area=Area.ZONE,
        subject=_subject(existing),
        outcome=Outcome.WRONG,
        needed=f"a subnetwork of network {existing.network} of project {host} in {stack.region}",
        there="no subnetwork of this name, or one that these credentials may not see",
        fix="Correct network.existing, or let the network's owners make the subnetwork.",
        command=f"gcloud compute networks subnets list --project {host} "
        f"--network {existing.network} --regions {stack.region}",
    )


def subnetwork_findings(
    found: Subnetwork, existing: ExistingNetwork, stack: Stack
) -> Iterator[Finding]:
    """Judge the subnetwork: its network, its ranges, and the way to Google's own APIs."""
    is_right = found.network.endswith(f"/{network_path(existing, stack)}")
    yield Finding(
        area=Area.ZONE,
        subject=_subject(existing),
        outcome=Outcome.OK if is_right else Outcome.WRONG,
        needed=f"in network {existing.network}",
        there="in it" if is_right else f"in {found.network.partition('/projects/')[2]}",
        fix="" if is_right else "Correct network.existing.network.",
    )
    secondary = {each.range_name: each.ip_cidr_range for each in found.secondary_ip_ranges}
    yield _range_finding("nodes_cidr", stack.network.nodes_cidr, found.ip_cidr_range, "primary")
    for key, declared, name in (
        ("pods_cidr", stack.network.pods_cidr, existing.pods_range),
        ("services_cidr", stack.network.services_cidr, existing.services_range),
    ):
        if name in secondary:
            yield _range_finding(key, declared, secondary[name], name)
        else:
            yield _missing_range(
                f"{name}={declared}", key=key, found=secondary, existing=existing, stack=stack
            )
    yield _google_access(found, existing, stack)


def _subject(existing: ExistingNetwork) -> str:
    return f"subnetwork {existing.subnetwork}"


def _range_finding(key: str, declared: IPv4Network, found: IPv4Network, name: str) -> Finding:
    is_right = declared == found
    return Finding(
        area=Area.ZONE,
        subject=f"network.{key}",
        outcome=Outcome.OK if is_right else Outcome.WRONG,
        needed=f"the range {name} of the subnetwork",
        there=str(declared) if is_right else f"{declared}, not {found}",
        fix=""
        if is_right
        else f"Set network.{key} to {found}: teams are kept out of what stands there.",
    )


def _missing_range(
    wanted: str,
    *,
    key: str,
    found: dict[str, IPv4Network],
    existing: ExistingNetwork,
    stack: Stack,
) -> Finding:
    listed = ", ".join(f"{each} {cidr}" for each, cidr in found.items())
    return Finding(
        area=Area.ZONE,
        subject=f"network.{key}",
        outcome=Outcome.WRONG,
        needed=f"a secondary range {wanted.partition('=')[0]} of the subnetwork",
        there=f"it has {listed or 'none'}",
        fix="Correct the range's name in network.existing, or let the network's owners add it.",
        command=f"gcloud compute networks subnets update {existing.subnetwork} "
        f"--project {host_project(stack)} --region {stack.region} "
        f"--add-secondary-ranges {wanted}",
    )


def _google_access(found: Subnetwork, existing: ExistingNetwork, stack: Stack) -> Finding:
    """Nodes have no public address, and GKE switches this on in no Shared VPC."""
    is_on = found.private_ip_google_access
    return Finding(
        area=Area.ZONE,
        subject="private Google access",
        outcome=Outcome.OK if is_on else Outcome.WRONG,
        needed=f"on in subnetwork {existing.subnetwork}",
        there="on" if is_on else "off: nodes reach neither Google's registries nor its logs",
        fix="" if is_on else "Let the network's owners switch it on.",
        command=""
        if is_on
        else f"gcloud compute networks subnets update {existing.subnetwork} "
        f"--project {host_project(stack)} --region {stack.region} "
        "--enable-private-ip-google-access",
    )


def nat_finding(routers: Routers, existing: ExistingNetwork, stack: Stack) -> Finding:
    """Judge the way out: Cloud NAT, or something that is not to be seen from here."""
    path = f"/{network_path(existing, stack)}"
    names = [nat.name for each in routers.items if each.network.endswith(path) for nat in each.nats]
    return Finding(
        area=Area.ZONE,
        subject="way out of the network",
        outcome=Outcome.OK if names else Outcome.WARNING,
        needed="for images that are not in Artifact Registry, and data from elsewhere",
        there=f"Cloud NAT {', '.join(names)}" if names else f"no Cloud NAT in {stack.region}",
        fix=""
        if names
        else "If no route of the network leads out either, keep all images in Artifact Registry.",
    )
