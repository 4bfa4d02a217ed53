"""What Google's APIs answer, as far as it is read."""

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel


class Answer(BaseModel):
    """A part of an answer; fields that nobody reads are left out."""

    model_config = ConfigDict(frozen=True, alias_generator=to_camel, populate_by_name=True)


class Quota(Answer):
    """Limit and usage of one metric."""

    metric: str
    limit: float
    usage: float = 0


class WithQuotas(Answer):
    """A region or a project of Compute Engine."""

    quotas: tuple[Quota, ...] = ()


class Service(Answer):
    """A service of a project."""

    name: str
    state: str = ""


class Services(Answer):
    """An answer to ``services:batchGet``."""

    services: tuple[Service, ...] = ()


class Project(Answer):
    """A project of Resource Manager."""

    project_id: str
    project_number: str = ""
    lifecycle_state: str = ""


class Permissions(Answer):
    """Those of the asked permissions that the caller has."""

    permissions: tuple[str, ...] = ()


class UniformAccess(Answer):
    """Whether IAM alone decides about a bucket's objects."""

    enabled: bool = False


class IamConfiguration(Answer):
    """Who decides about a bucket's objects."""

    uniform_bucket_level_access: UniformAccess = UniformAccess()


class Bucket(Answer):
    """A bucket of Cloud Storage."""

    iam_configuration: IamConfiguration = IamConfiguration()

    @property
    def is_uniform(self) -> bool:
        """Whether IAM alone decides."""
        return self.iam_configuration.uniform_bucket_level_access.enabled


class MachineType(Answer):
    """A machine type of a zone."""

    name: str


class AcceleratorType(Answer):
    """A GPU of a zone."""

    name: str
    maximum_cards_per_instance: int = 0


class AcceleratorTypes(Answer):
    """The GPUs of a zone."""

    items: tuple[AcceleratorType, ...] = ()


class Channel(Answer):
    """A release channel."""

    channel: str
    default_version: str = ""


class ServerConfig(Answer):
    """What GKE offers in a location."""

    channels: tuple[Channel, ...] = ()


class NodeAccelerator(Answer):
    """GPUs of a node."""

    accelerator_type: str
    accelerator_count: int


class ReservationAffinity(Answer):
    """Which reservation the nodes of a pool come from."""

    values: tuple[str, ...] = ()


class NodeConfig(Answer):
    """The nodes of a pool."""

    machine_type: str
    disk_type: str = "pd-balanced"
    disk_size_gb: int
    accelerators: tuple[NodeAccelerator, ...] = ()
    spot: bool = False
    reservation_affinity: ReservationAffinity = ReservationAffinity()


class Condition(Answer):
    """Why a pool is as it is."""

    code: str = ""
    message: str = ""


class NodePool(Answer):
    """A pool of a cluster."""

    name: str
    config: NodeConfig
    instance_group_urls: tuple[str, ...] = ()
    locations: tuple[str, ...] = ()
    status: str = ""
    status_message: str = ""
    conditions: tuple[Condition, ...] = ()


class Cluster(Answer):
    """A cluster."""

    name: str
    node_pools: tuple[NodePool, ...] = ()


class InstanceGroup(Answer):
    """The machines of a pool in a zone."""

    target_size: int = 0


class Exists(Answer):
    """Something that is there; no more is asked of it."""


class ErrorDetail(Answer):
    """One reason of an error."""

    reason: str = ""


class ErrorBody(Answer):
    """Google's error."""

    message: str = ""
    status: str = ""
    errors: tuple[ErrorDetail, ...] = ()
    details: tuple[ErrorDetail, ...] = ()


class ErrorAnswer(Answer):
    """An answer that is no success."""

    error: ErrorBody = ErrorBody()


class InstanceProperties(Answer):
    """The kind of machines that a reservation has."""

    machine_type: str = ""
    guest_accelerators: tuple[NodeAccelerator, ...] = ()
    min_cpu_platform: str = ""


class SpecificReservation(Answer):
    """How many machines of one kind are kept."""

    count: int = 0
    in_use_count: int = 0
    instance_properties: InstanceProperties = InstanceProperties()


class SharedWith(Answer):
    """A project with which a reservation is shared."""

    project_id: str = ""


class ShareSettings(Answer):
    """Who else may use a reservation."""

    share_type: str = ""
    project_map: dict[str, SharedWith] = Field(default_factory=dict)


class Reservation(Answer):
    """Machines that Compute Engine keeps."""

    status: str = ""
    specific_reservation_required: bool = False
    specific_reservation: SpecificReservation = SpecificReservation()
    share_settings: ShareSettings = ShareSettings()

    @property
    def count(self) -> int:
        """How many machines it has."""
        return self.specific_reservation.count

    @property
    def in_use(self) -> int:
        """How many of them somebody uses."""
        return self.specific_reservation.in_use_count


class StorageObject(Answer):
    """An object of a bucket."""

    name: str


class StorageObjects(Answer):
    """Objects of a bucket."""

    items: tuple[StorageObject, ...] = Field(default=())
