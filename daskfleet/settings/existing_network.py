"""A network that somebody else made, often in another project: Shared VPC."""

from daskfleet.settings.base import Settings
from daskfleet.settings.google_names import NetworkName, ProjectId


class ExistingNetwork(Settings):
    """A network with a subnetwork in the region of the nodes; the program makes none of it."""

    project: ProjectId | None = None
    """The project that has the network: the host project of a Shared VPC. Left out: this
    project."""

    network: NetworkName
    """The network's name."""

    subnetwork: NetworkName
    """The subnetwork's name, in the region of the nodes."""

    pods_range: NetworkName
    """Name of the secondary range for pods."""

    services_range: NetworkName
    """Name of the secondary range for Services. Another one than ``pods_range``."""
