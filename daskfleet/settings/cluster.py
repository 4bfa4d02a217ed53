"""The GKE cluster, its network, and the times at which Google may change it."""

from datetime import datetime
from ipaddress import IPv4Network, IPv6Network
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from daskfleet.settings.base import Settings, conflict
from daskfleet.settings.existing_network import ExistingNetwork
from daskfleet.settings.google_names import ClusterName, Recurrence, SecurityGroup
from daskfleet.settings.times import Moment


def _no_number(value: Any) -> Any:
    # ipaddress takes a number for one address: true would be 0.0.0.1/32.
    if isinstance(value, int):
        raise PydanticCustomError("ip_v4_network", "not a network")
    return value


Cidr = Annotated[IPv4Network, BeforeValidator(_no_number)]
"""A range of IPv4 addresses in CIDR notation."""


def is_everybody(network: IPv4Network | IPv6Network) -> bool:
    """Whether a range is the whole internet."""
    return network.prefixlen == 0


def _require_order(start: datetime, end: datetime) -> None:
    if end <= start:
        raise conflict(
            "end_time",
            f"This is not after start_time, {start.isoformat()}.",
            allowed="a time after start_time; where it ends on the next day, with that day's date",
            next_step="correct end_time or start_time.",
        )


class MaintenanceWindow(Settings):
    """When GKE may upgrade; it repeats."""

    start_time: Moment
    """First start, RFC 3339."""

    end_time: Moment
    """First end, RFC 3339; GKE wants at least 4 hours."""

    recurrence: Recurrence = "FREQ=WEEKLY;BYDAY=SA,SU"
    """RFC 5545 recurrence rule, for example ``FREQ=DAILY``."""

    @model_validator(mode="after")
    def _ends_after_it_begins(self) -> Self:
        _require_order(self.start_time, self.end_time)
        return self


class MaintenanceExclusion(Settings):
    """A time in which GKE must not upgrade."""

    name: str
    """A name for this time, for example ``quarter-end``."""

    start_time: Moment
    """Beginning, RFC 3339."""

    end_time: Moment
    """End, RFC 3339."""

    scope: Literal["NO_UPGRADES", "NO_MINOR_UPGRADES", "NO_MINOR_OR_NODE_UPGRADES"] = (
        "NO_MINOR_OR_NODE_UPGRADES"
    )
    """What must not happen: any upgrade (at most 90 days), those of the minor version, or those of
    the minor version and of nodes."""

    @model_validator(mode="after")
    def _ends_after_it_begins(self) -> Self:
        _require_order(self.start_time, self.end_time)
        return self


class AuthorizedNetwork(Settings):
    """Addresses that may reach the control plane's IP endpoint."""

    name: str
    """A name for these addresses, for example ``office``."""

    cidr: Cidr
    """The addresses."""

    @model_validator(mode="after")
    def _is_not_everybody(self) -> Self:
        if is_everybody(self.cidr):
            raise conflict(
                "cidr",
                "This range is the whole internet.",
                allowed="ranges of networks that you know",
                next_step="name those, or use kind dns, which IAM protects.",
            )
        return self


class Endpoint(Settings):
    """How clients reach the Kubernetes API."""

    kind: Literal["dns", "ip", "private"] = "dns"
    """``dns``: Google's IAM-protected name, no open IP address. ``ip``: a public address that
    only ``authorized_networks`` may use. ``private``: an address inside of the network, and none
    outside; whoever runs ``pulumi``, ``kubectl`` or ``daskfleet`` does so from inside."""

    authorized_networks: tuple[AuthorizedNetwork, ...] = ()
    """Who may use the address; for kinds ``ip`` and ``private``. Of ``private`` the subnetwork of
    the nodes may always, others that are connected only if they stand here."""

    @model_validator(mode="after")
    def _ip_is_restricted(self) -> Self:
        if self.kind == "ip" and not self.authorized_networks:
            raise conflict(
                "kind",
                "A public address for the Kubernetes API must be closed to everybody else.",
                allowed="dns; private; or ip together with at least one entry in "
                "authorized_networks",
                next_step="name the networks in authorized_networks, or use kind dns.",
            )
        if self.kind == "dns" and self.authorized_networks:
            raise conflict(
                "authorized_networks",
                "The dns endpoint is protected by IAM and ignores networks.",
                allowed="authorized_networks only together with kind ip or private",
                next_step="remove authorized_networks, or use kind ip or private.",
            )
        return self


class Cluster(Settings):
    """The GKE cluster."""

    name: ClusterName = "rapids-gpu"
    """The cluster's name in Google Cloud. Changing it replaces the cluster."""

    release_channel: Literal["RAPID", "REGULAR", "STABLE", "EXTENDED"] = "STABLE"
    """How soon GKE upgrades the cluster to new versions."""

    maintenance_window: MaintenanceWindow | None = None
    """When GKE may upgrade; left out: at any time."""

    maintenance_exclusions: tuple[MaintenanceExclusion, ...] = ()
    """Times in which GKE must not upgrade; they need a ``maintenance_window``. Host maintenance of
    GPU nodes ignores them."""

    endpoint: Endpoint = Endpoint()
    """How clients reach the Kubernetes API."""

    binary_authorization: bool | None = None
    """Whether GKE asks the Binary Authorization policy of the project before a pod runs. Left out:
    nothing is said, and GKE begins without."""

    security_group: SecurityGroup | None = None
    """Google group that holds the groups to whom teams give access; needed for a ``group:`` among
    a team's ``members``."""

    @model_validator(mode="after")
    def _exclusions_have_a_window(self) -> Self:
        if self.maintenance_exclusions and self.maintenance_window is None:
            raise conflict(
                "maintenance_exclusions",
                "The Google provider takes exclusions only together with a window.",
                allowed="maintenance_exclusions together with maintenance_window",
                next_step="add a maintenance_window.",
            )
        return self


class Network(Settings):
    """The VPC-native network, the program's own or one that exists; its ranges must not overlap."""

    existing: ExistingNetwork | None = None
    """A network that somebody else made. All three ranges below then say what its subnetwork has:
    what teams must not reach is closed by them. Left out: the program makes one."""

    nat: Literal["own", "none"] = "own"
    """Of the program's own network: ``own`` makes Cloud NAT for it. ``none`` makes no way out, so
    that images come from Artifact Registry alone. An ``existing`` network has the way out that its
    owners gave it."""

    nodes_cidr: Cidr = IPv4Network("10.0.0.0/20")
    """Addresses of nodes."""

    pods_cidr: Cidr = IPv4Network("10.4.0.0/14")
    """Addresses of pods."""

    services_cidr: Cidr = IPv4Network("10.8.0.0/20")
    """Virtual addresses of Services."""

    max_pods_per_node: Annotated[int, Field(ge=8, le=256)] = 32
    """GKE reserves twice as many addresses per node, rounded up to a power of two."""

    @property
    def has_own_nat(self) -> bool:
        """Whether the program makes Cloud NAT."""
        return self.existing is None and self.nat == "own"
