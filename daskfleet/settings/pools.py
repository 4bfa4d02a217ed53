"""Node pools: the system pool, the scheduler pool, and the worker pools."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from daskfleet.settings.autoscaling import MOST_NODES, Autoscaling
from daskfleet.settings.base import Settings, conflict
from daskfleet.settings.google_names import PoolName
from daskfleet.settings.reservations import ReservationChoice
from daskfleet.settings.zones import PoolZones, zones_conflict

DiskSizeGb = Annotated[int, Field(ge=50, le=65536)]

BOOT_DISK = "pd-balanced"
"""What nodes boot from where their machine type takes it; Google counts it as SSD."""

MOST_CLIENTS = 48
"""GKE's limit of ``maxSharedClientsPerGpu``: containers that share one physical GPU."""


class Pool(Settings):
    """What all pools have: a name, a machine type, a size, and a boot disk."""

    name: PoolName
    """The pool's identity. Changing it replaces the pool."""

    machine_type: str
    """Compute Engine machine type."""

    disk_size_gb: DiskSizeGb
    """Boot disk in GB."""

    node_count: Annotated[int, Field(ge=1, le=MOST_NODES)] | None = None
    """Fixed number of nodes. One node when neither this nor ``autoscaling`` is given."""

    autoscaling: Autoscaling | None = None
    """Let GKE size the pool. Never together with ``node_count``."""

    zones: PoolZones | None = None
    """Zones of the pool's nodes, all of the cluster's region. ``node_count``, ``min_nodes`` and
    ``max_nodes`` are of the pool as a whole, whatever the number of zones: ``node_count: 4`` in two
    zones is two nodes in each. Left out: the one zone of all nodes."""

    @model_validator(mode="after")
    def _zones_and_size_agree(self) -> Self:
        problem = zones_conflict(
            self.zones or (),
            nodes=None if self.autoscaling else self.min_nodes,
            policy=self.autoscaling.location_policy if self.autoscaling else None,
        )
        if problem:
            raise problem
        return self

    @model_validator(mode="after")
    def _sized_once(self) -> Self:
        if self.node_count is not None and self.autoscaling is not None:
            raise conflict(
                "node_count",
                "A pool has either a fixed node_count or autoscaling: GKE's autoscaler and a "
                "fixed count would undo each other's work.",
                allowed="one of node_count and autoscaling",
                next_step="remove node_count to keep autoscaling, or remove autoscaling.",
            )
        return self

    @property
    def has_gpus(self) -> bool:
        """Whether the nodes have GPUs."""
        return False

    @property
    def min_nodes(self) -> int:
        """Nodes that exist even when the fleet is idle."""
        return self.autoscaling.min_nodes if self.autoscaling else self.node_count or 1

    @property
    def max_nodes(self) -> int:
        """Nodes that exist when everything runs."""
        return self.autoscaling.max_nodes if self.autoscaling else self.node_count or 1


class SystemPool(Pool):
    """The CPU pool for the operator and everything else that needs no GPU; created first."""

    name: PoolName = "system"
    """The pool's identity. Changing it replaces the pool."""

    machine_type: str = "e2-standard-4"
    """Compute Engine machine type without accelerators."""

    disk_size_gb: DiskSizeGb = 100
    """Boot disk in GB."""


NO_ACCELERATOR = "none"
"""Value of ``accelerator`` for a pool without GPUs."""


class GpuPool(Pool):
    """What the pools of schedulers and of workers have; they may be without GPUs."""

    accelerator: str
    """GPU as GKE's ``acceleratorType`` spells it; ``none`` for nodes without."""

    gpus_per_node: Annotated[int, Field(ge=0, le=16)]
    """GPUs on each node; for accelerator-optimised machine types the type fixes it."""

    disk_size_gb: DiskSizeGb = 200
    """Boot disk. An uncompressed RAPIDS image takes 14 GB. Two of them plus the garbage-collection
    thresholds exceed GKE's default of 100 GB."""

    spot: bool = False
    """Spot capacity: cheaper, but Google may take the nodes away at any time."""

    reservation: ReservationChoice | None = None
    """Which of Google's reservations the nodes use: one by its name, ``any`` that matches, or
    ``none``. Left out, nothing is sent to GKE. Changing it replaces the pool."""

    image_streaming: bool | None = None
    """GKE's image streaming: containers start while their image is still being pulled. For images
    in Artifact Registry, and public ones of Docker Hub; GKE pulls all others as before. Left out, a
    pool keeps what it has: to switch it off again, write ``false``. Changing it re-creates the
    pool's nodes."""

    replacement: Literal["in-place", "surge"] = "in-place"
    """What happens when a change replaces the pool. ``in-place``: the old nodes go first. Their
    GPUs are given back, and may not be available again. ``surge``: a new generation of the pool
    comes beside the old one, the teams roll onto it, then the old one goes. The project needs the
    quota for both, and the zone the GPUs. ``long_lived`` does not protect such a pool: it could not
    tell an old generation from a pool that was removed. Changing this value creates a new
    generation, too."""

    _left_out_without_gpus: ClassVar[Mapping[str, object]] = {"gpus_per_node": 0}
    """What settings are that a pool without GPUs leaves out, where that is not their default."""

    @model_validator(mode="before")
    @classmethod
    def _no_gpus_without_accelerator(cls, data: Any) -> Any:
        if isinstance(data, Mapping) and data.get("accelerator") == NO_ACCELERATOR:
            return {**cls._left_out_without_gpus, **data}
        return data

    @model_validator(mode="after")
    def _gpus_and_accelerator_agree(self) -> Self:
        if self.has_gpus and not self.gpus_per_node:
            raise conflict(
                "gpus_per_node",
                f"The pool's accelerator is {self.accelerator}, of which each node has one at "
                "least.",
                allowed=f"1 or more; or accelerator: {NO_ACCELERATOR}",
                next_step="say how many, or leave gpus_per_node out together with accelerator: "
                f"{NO_ACCELERATOR}.",
            )
        if not self.has_gpus:
            for key, given in (("gpus_per_node", self.gpus_per_node), *self._divided()):
                if given:
                    raise conflict(
                        key,
                        f"accelerator: {NO_ACCELERATOR} is a pool without GPUs, so there is none "
                        "to count, divide or share.",
                        allowed=f"nothing beside accelerator: {NO_ACCELERATOR}",
                        next_step=f"remove {key}, or name the pool's accelerator.",
                    )
        return self

    def _divided(self) -> tuple[tuple[str, object], ...]:
        """Settings that divide or share GPUs, each with whether it does."""
        return ()

    @property
    def has_gpus(self) -> bool:
        """Whether the nodes have GPUs."""
        return self.accelerator != NO_ACCELERATOR


class SchedulerPool(GpuPool):
    """The cheap pool that carries the schedulers of all teams, mostly with GPUs."""

    name: PoolName = "scheduler-pool"
    """The pool's identity. Changing it replaces the pool."""

    machine_type: str = "n1-standard-2"
    """Compute Engine machine type."""

    accelerator: str = "nvidia-tesla-t4"
    """GPU as GKE's ``acceleratorType`` spells it; ``none`` for schedulers that unpack no GPU
    objects. Such a pool has ``replacement: surge``, and no other."""

    gpus_per_node: Annotated[int, Field(ge=0, le=4)] = 1
    """GPUs on each node. Leave it out if ``accelerator`` is ``none``: it is 0 then."""

    schedulers_per_gpu: Annotated[int, Field(ge=1, le=MOST_CLIENTS)] = 1
    """Schedulers that share one GPU by GKE's GPU time-sharing; 1 switches sharing off.
    48 is GKE's limit of ``maxSharedClientsPerGpu``."""

    _left_out_without_gpus: ClassVar[Mapping[str, object]] = {
        "gpus_per_node": 0,
        "replacement": "surge",
    }

    @model_validator(mode="after")
    def _comes_beside_one_with_gpus(self) -> Self:
        # guest_accelerator is optional and computed: the provider keeps what is declared no more.
        if not self.has_gpus and self.replacement != "surge":
            raise conflict(
                "replacement",
                "A pool of this name may have had GPUs, and Google's provider takes none away. "
                "By surge a pool without GPUs has another name in GKE, and comes beside it.",
                allowed=f"surge with accelerator: {NO_ACCELERATOR}",
                next_step="remove replacement.",
            )
        return self

    def _divided(self) -> tuple[tuple[str, object], ...]:
        return (("schedulers_per_gpu", self.schedulers_per_gpu > 1),)


class WorkerPool(GpuPool):
    """A pool that carries Dask workers: one per GPU, or on CPUs alone."""

    name: PoolName = "a100"
    """The pool's identity. Changing it replaces the pool."""

    machine_type: str = "a2-highgpu-2g"
    """Compute Engine machine type."""

    accelerator: str = "nvidia-tesla-a100"
    """GPU as GKE's ``acceleratorType`` spells it; ``none`` for workers that compute on CPUs."""

    gpus_per_node: Annotated[int, Field(ge=0, le=16)] = 2
    """GPUs on each node; for accelerator-optimised machine types the type fixes it. Leave it out if
    ``accelerator`` is ``none``: it is 0 then."""

    gpu_partition_size: str | None = None
    """Divide each GPU into partitions of this size (MIG), for example ``1g.5gb``: each is a GPU of
    its own, with its own memory, and has a worker of its own. Only A100 and later GPUs can be
    divided."""

    workers_per_gpu: Annotated[int, Field(ge=1, le=MOST_CLIENTS)] = 1
    """Workers that take turns on one GPU, or partition, by GKE's GPU time-sharing; 1 switches
    sharing off. Nothing divides the memory among them."""

    def _divided(self) -> tuple[tuple[str, object], ...]:
        return (
            ("gpu_partition_size", self.gpu_partition_size),
            ("workers_per_gpu", self.workers_per_gpu > 1),
        )
