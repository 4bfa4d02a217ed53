"""The settings of one stack: one environment, one GKE cluster, its teams."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from daskfleet.settings.base import Settings, conflict
from daskfleet.settings.cluster import Cluster, Network
from daskfleet.settings.committed_use import CommittedUse
from daskfleet.settings.google_names import Location, ProjectId, Zone
from daskfleet.settings.gpu_health import GpuHealth
from daskfleet.settings.keys import Keys
from daskfleet.settings.monitoring import Monitoring
from daskfleet.settings.names import Labels
from daskfleet.settings.pools import SchedulerPool, SystemPool, WorkerPool
from daskfleet.settings.prices import GivenPrice
from daskfleet.settings.registry import Registry
from daskfleet.settings.software import DaemonSetDriver, Driver, ImageSetting, Operator
from daskfleet.settings.team import Team

MOST_TEAMS = 300
MOST_POOLS = 100
"""What one stack may declare. The largest fleet that was ever brought up has 50 teams; the checks
compare teams, and an `up` of 50 takes three minutes."""


class Stack(Settings):
    """What a stack file says under ``daskfleet:``; only ``project`` and ``teams`` are required."""

    project: ProjectId
    """ID of the Google Cloud project in which everything is created."""

    project_number: Annotated[int, Field(ge=1)] | None = None
    """The same project's number; required when a team lists ``buckets``, because it is part of the
    pods' names at Google. ``gcloud projects describe`` prints it."""

    location: Location = "us-central1-c"
    """Zone or region of the control plane."""

    node_zone: Zone | None = None
    """Zone of all nodes. Required when ``location`` is a region. Default: ``location``."""

    long_lived: bool = True
    """Protect the cluster, its pools (but those with ``replacement: surge``), and what teams keep
    in their namespaces: a preview that would delete or replace one of them fails. ``false`` until
    an ``up`` has written it is the way to ``pulumi destroy``; a team goes in two steps,
    ``retire: true`` and then its removal."""

    cluster: Cluster = Cluster()
    """The GKE cluster."""

    network: Network = Network()
    """The network: the program's own or one that exists, and its address ranges."""

    system_pool: SystemPool = SystemPool()
    """The CPU pool for the operator and everything else that needs no GPU."""

    scheduler_pool: SchedulerPool = SchedulerPool()
    """The cheap GPU pool that carries the schedulers of all teams."""

    worker_pools: Annotated[tuple[WorkerPool, ...], Field(min_length=1, max_length=MOST_POOLS)] = (
        WorkerPool(),
    )
    """The pools that carry Dask workers."""

    driver: Driver = DaemonSetDriver()
    """The NVIDIA driver of all GPU pools."""

    operator: Operator = Operator()
    """The Dask operator."""

    image: ImageSetting = "nvcr.io/nvidia/rapidsai/base:26.10-cuda12-py3.13"
    """RAPIDS image of every team without an ``image`` of its own."""

    image_prepull: bool = False
    """Pull the images of its teams onto each node of a GPU pool before a Dask pod asks for them:
    while a new node installs its driver, and, when a team changes its image, before the team's old
    cluster goes. A rollout then waits until every node of the pools has the image."""

    registry: Registry = Registry()
    """Registries of one's own: a mirror, grants in other projects, a pull secret."""

    keys: Keys = Keys()
    """Keys of one's own in Cloud KMS, in the region of the nodes."""

    monitoring: Monitoring | None = None
    """Metrics of Dask and GPUs, and alerts on them. Left out: only what GKE measures by itself, and
    no alerts."""

    gpu_health: GpuHealth | None = None
    """What to do about nodes with a sick GPU. Left out: nothing. GKE does not repair them either,
    since such a node is still ready."""

    labels: Labels = Field(default_factory=dict)
    """Labels on every Google Cloud resource that takes labels."""

    committed_use: CommittedUse | None = None
    """Committed use that was bought for the fleet's machines; for the estimate only."""

    prices: dict[str, GivenPrice] = Field(default_factory=dict)
    """What is paid for a machine type, or for an attached GPU, by its name; for the estimate only.
    With a ``monthly_budget_usd`` it is needed for everything without a price in the catalog: an
    unknown cost is never within a budget."""

    monthly_budget_usd: Annotated[float, Field(gt=0)] | None = None
    """What the fleet may cost in a month when every pool is full, in US dollars: above it a preview
    warns and a review needs care, far above it the policy refuses."""

    teams: Annotated[tuple[Team, ...], Field(min_length=1, max_length=MOST_TEAMS)]
    """The teams, each with a namespace and a fixed RAPIDS Dask cluster."""

    @property
    def region(self) -> str:
        """The region of the network; ``us-central1`` for the zone ``us-central1-c``."""
        return self.zone.rpartition("-")[0]

    @property
    def zone(self) -> str:
        """The zone in which all nodes live."""
        return self.node_zone or self.location

    @model_validator(mode="after")
    def _nodes_have_a_zone(self) -> Self:
        is_region = self.location.count("-") == 1
        if is_region and self.node_zone is None:
            raise conflict(
                "location",
                f"{self.location} is a region, but the GPUs must be in one zone.",
                allowed="a zone; or a region together with node_zone",
                next_step=f"add node_zone, for example {self.location}-c.",
            )
        if self.node_zone and not self.node_zone.startswith(self.location):
            raise conflict(
                "node_zone",
                f"{self.node_zone} is not in {self.location}.",
                allowed=f"a zone of {self.location}, or nothing when location is a zone",
                next_step="correct node_zone or location.",
            )
        return self
