"""What Google tells of a cluster and its pools, as far as a stack file can say it."""

from pydantic import Field

from daskfleet.google_cloud.asking import Shape


class DatapathConfig(Shape):
    """The part of the network's configuration that nobody can change."""

    datapath_provider: str = ""


class IpAllocation(Shape):
    """Which addresses pods and Services have."""

    cluster_secondary_range_name: str = ""
    services_secondary_range_name: str = ""


class MaxPods(Shape):
    """How many pods a node may have."""

    max_pods_per_node: int = 0


class Switch(Shape):
    """Something that is on or off."""

    enabled: bool = False


class ReleaseChannel(Shape):
    """How soon versions come."""

    channel: str = ""


class Times(Shape):
    """From when to when."""

    start_time: str = ""
    end_time: str = ""


class RecurringWindow(Shape):
    """When GKE may upgrade."""

    window: Times = Times()
    recurrence: str = ""


class ExclusionOptions(Shape):
    """What must not happen."""

    scope: str = ""


class Exclusion(Times):
    """A time in which GKE must not upgrade."""

    maintenance_exclusion_options: ExclusionOptions = ExclusionOptions()


class MaintenanceWindow(Shape):
    """The only kind of window that settings have, and times without upgrades."""

    recurring_window: RecurringWindow | None = None
    maintenance_exclusions: dict[str, Exclusion] = Field(default_factory=dict)


class MaintenancePolicy(Shape):
    """When GKE may change the cluster."""

    window: MaintenanceWindow = MaintenanceWindow()


class Groups(Shape):
    """Which Google groups Kubernetes knows."""

    security_group: str = ""


class CidrBlock(Shape):
    """Addresses that may reach the control plane."""

    cidr_block: str = ""
    display_name: str = ""


class AuthorizedNetworks(Shape):
    """Who may reach the control plane's address."""

    enabled: bool = False
    cidr_blocks: tuple[CidrBlock, ...] = ()


class DnsEndpoint(Shape):
    """The control plane's name."""

    endpoint: str = ""
    allow_external_traffic: bool = False


class IpEndpoints(Shape):
    """The control plane's addresses."""

    enabled: bool = False
    enable_public_endpoint: bool = False
    public_endpoint: str = ""
    private_endpoint: str = ""
    authorized_networks_config: AuthorizedNetworks = AuthorizedNetworks()


class Endpoints(Shape):
    """All ways to the control plane."""

    dns_endpoint_config: DnsEndpoint = DnsEndpoint()
    ip_endpoints_config: IpEndpoints = IpEndpoints()


class Sharing(Shape):
    """How pods share a GPU."""

    max_shared_clients_per_gpu: int = 0


class DriverInstallation(Shape):
    """Who installs the driver."""

    gpu_driver_version: str = ""


class Accelerator(Shape):
    """The GPUs of a node."""

    accelerator_type: str
    accelerator_count: int = 0
    gpu_partition_size: str = ""
    gpu_driver_installation_config: DriverInstallation = DriverInstallation()
    gpu_sharing_config: Sharing = Sharing()


class ShieldedInstance(Shape):
    """How a machine boots."""

    enable_secure_boot: bool = False


class NodeConfig(Shape):
    """The nodes of a pool."""

    machine_type: str = ""
    disk_size_gb: int = 0
    disk_type: str = ""
    service_account: str = ""
    oauth_scopes: tuple[str, ...] = ()
    labels: dict[str, str] = Field(default_factory=dict)
    accelerators: tuple[Accelerator, ...] = ()
    spot: bool = False
    shielded_instance_config: ShieldedInstance = ShieldedInstance()


class Autoscaling(Shape):
    """Bounds of a pool; per zone, or of the pool as a whole."""

    enabled: bool = False
    min_node_count: int = 0
    max_node_count: int = 0
    total_min_node_count: int = 0
    total_max_node_count: int = 0


class NodePool(Shape):
    """A pool of a cluster."""

    name: str
    config: NodeConfig = NodeConfig()
    autoscaling: Autoscaling = Autoscaling()
    max_pods_constraint: MaxPods = MaxPods()
    locations: tuple[str, ...] = ()
    instance_group_urls: tuple[str, ...] = ()

    @property
    def gpus(self) -> Accelerator | None:
        """Its GPUs; a node has one kind."""
        return next(iter(self.config.accelerators), None)


class Cluster(Shape):
    """A cluster with its pools."""

    name: str
    location: str = ""
    endpoint: str = ""
    network_config: DatapathConfig = DatapathConfig()
    ip_allocation_policy: IpAllocation = IpAllocation()
    default_max_pods_constraint: MaxPods = MaxPods()
    autopilot: Switch = Switch()
    release_channel: ReleaseChannel = ReleaseChannel()
    maintenance_policy: MaintenancePolicy = MaintenancePolicy()
    authenticator_groups_config: Groups = Groups()
    control_plane_endpoints_config: Endpoints = Endpoints()
    resource_labels: dict[str, str] = Field(default_factory=dict)
    node_pools: tuple[NodePool, ...] = ()

    @property
    def addresses(self) -> frozenset[str]:
        """Where its control plane answers."""
        ways = self.control_plane_endpoints_config
        by_ip = ways.ip_endpoints_config
        named = (ways.dns_endpoint_config.endpoint, by_ip.public_endpoint, by_ip.private_endpoint)
        return frozenset(each for each in (self.endpoint, *named) if each)


class InstanceGroup(Shape):
    """The machines of a pool in a zone."""

    target_size: int = 0
