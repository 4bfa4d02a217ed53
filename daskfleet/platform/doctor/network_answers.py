"""What Google answers about a network, as far as it is read."""

from ipaddress import IPv4Network

from daskfleet.platform.doctor.answers import Answer


class SecondaryRange(Answer):
    """A range of addresses beside that of the nodes."""

    range_name: str
    ip_cidr_range: IPv4Network


class Subnetwork(Answer):
    """A subnetwork of a region."""

    network: str
    """Its URL."""
    ip_cidr_range: IPv4Network
    secondary_ip_ranges: tuple[SecondaryRange, ...] = ()
    private_ip_google_access: bool = False


class XpnHost(Answer):
    """The host project of a Shared VPC; without one the answer is empty."""

    name: str = ""


class Nat(Answer):
    """Cloud NAT of a router."""

    name: str


class Router(Answer):
    """A router of a region."""

    network: str = ""
    """The URL of the network that it is in."""
    nats: tuple[Nat, ...] = ()


class Routers(Answer):
    """The routers of a region."""

    items: tuple[Router, ...] = ()
