"""What Kubernetes tells of Dask clusters, as far as a stack file can say it.

Whoever may make a DaskCluster wrote this. What is not of the CRD's shape is not there.
"""

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel


class Part(BaseModel):
    """A part of an object; fields that nobody reads are left out."""

    model_config = ConfigDict(frozen=True, alias_generator=to_camel, populate_by_name=True)


class Metadata(Part):
    """Whose it is."""

    name: str
    namespace: str


class Variable(Part):
    """One of a container's environment; without a value it is from somewhere else."""

    name: str
    value: str | None = None


class Resources(Part):
    """What a container asks for."""

    limits: dict[str, str | int | float] = Field(default_factory=dict)


class Container(Part):
    """A container."""

    image: str = ""
    env: tuple[Variable, ...] = ()
    resources: Resources = Resources()


class Claim(Part):
    """A disk that outlives pods."""

    claim_name: str


class Volume(Part):
    """A volume of a pod; most kinds are of no interest."""

    name: str
    persistent_volume_claim: Claim | None = None


class PodSpec(Part):
    """A pod."""

    containers: tuple[Container, ...] = ()
    volumes: tuple[Volume, ...] = ()
    node_selector: dict[str, str] = Field(default_factory=dict)


class Workers(Part):
    """The first group of workers."""

    replicas: int = 0
    spec: PodSpec = PodSpec()


class Scheduler(Part):
    """The scheduler."""

    spec: PodSpec = PodSpec()


class DaskClusterSpec(Part):
    """What the operator makes a Dask cluster of."""

    worker: Workers = Workers()
    scheduler: Scheduler = Scheduler()
    idle_timeout: int = 0


class DaskCluster(Part):
    """A Dask cluster."""

    metadata: Metadata
    spec: DaskClusterSpec = DaskClusterSpec()


class DaskClusters(Part):
    """All of them."""

    items: tuple[DaskCluster, ...] = ()


class AutoscalerSpec(Part):
    """Between which bounds a Dask cluster is scaled."""

    cluster: str
    minimum: int = 0
    maximum: int = 0


class DaskAutoscaler(Part):
    """What scales a Dask cluster."""

    metadata: Metadata
    spec: AutoscalerSpec


class DaskAutoscalers(Part):
    """All of them."""

    items: tuple[DaskAutoscaler, ...] = ()


class WorkerGroupSpec(Part):
    """A further group of workers."""

    cluster: str
    worker: Workers = Workers()


class DaskWorkerGroup(Part):
    """Workers of a Dask cluster."""

    metadata: Metadata
    spec: WorkerGroupSpec


class DaskWorkerGroups(Part):
    """All of them."""

    items: tuple[DaskWorkerGroup, ...] = ()
