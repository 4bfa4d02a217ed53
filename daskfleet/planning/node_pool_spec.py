"""Pure: what each node pool of a stack looks like, worked out from the settings."""

from dataclasses import dataclass
from typing import Literal

from daskfleet.contract.nodes import DEDICATED_LABEL, DRIVER_SYSCTL, SCHEDULER, Taint
from daskfleet.planning.boot_disks import boot_disk
from daskfleet.planning.generations import Generation, generation_of, gpu_driver_version
from daskfleet.planning.pool_zones import SizeInZones, size_in_zones, zones_of
from daskfleet.planning.pools import clients_per_gpu, partition_size, taints_of
from daskfleet.planning.reservations import Affinity, affinity_of
from daskfleet.settings.autoscaling import Autoscaling
from daskfleet.settings.pools import Pool, SchedulerPool, WorkerPool
from daskfleet.settings.software import DaemonSetDriver, Driver
from daskfleet.settings.stack import Stack

Role = Literal["system", "scheduler", "worker"]


@dataclass(frozen=True, kw_only=True)
class Gpus:
    """The GPUs of each node."""

    accelerator: str
    per_node: int
    driver_version: str
    """GKE's ``gpuDriverVersion``."""

    clients_per_gpu: int
    """Pods that share one GPU, or one partition, in turns."""

    partition_size: str | None
    """GKE's ``gpuPartitionSize``; None for whole GPUs."""


@dataclass(frozen=True, kw_only=True)
class NodePoolSpec:
    """Everything that distinguishes one pool from another."""

    name: str
    """The pool's name in the stack file."""

    generation: Generation
    """What GKE calls it."""

    role: Role
    machine_type: str
    disk_size_gb: int
    disk_type: str
    """What the machine boots from; another one re-creates the nodes."""

    zones: tuple[str, ...]
    node_count: int | None
    """Fixed size, over all zones; None when the pool is autoscaled."""

    autoscaling: Autoscaling | None
    labels: dict[str, str]
    sysctls: dict[str, str]
    """Kernel parameters; another value of one makes GKE re-create the nodes."""

    taints: tuple[Taint, ...]
    gpus: Gpus | None
    spot: bool
    reservation: Affinity | None
    """None: nothing is said to GKE."""

    image_streaming: bool | None
    """None: as GKE has it. Leaving it out switches nothing off, the provider keeps what it read
    (terraform-provider-google, ``schemaGcfsConfig``: optional and computed)."""

    @property
    def size(self) -> SizeInZones:
        """The pool's size as GKE takes it."""
        return size_in_zones(self.node_count, self.autoscaling, zones=self.zones, spot=self.spot)


def system_pool_spec(stack: Stack) -> NodePoolSpec:
    """The CPU pool for everything that needs no GPU."""
    pool = stack.system_pool
    return NodePoolSpec(
        name=pool.name,
        generation=Generation(pool=pool.name, name=pool.name, is_numbered=False),
        role="system",
        machine_type=pool.machine_type,
        disk_size_gb=pool.disk_size_gb,
        disk_type=boot_disk(pool),
        zones=zones_of(pool, stack),
        node_count=fixed_size(pool),
        autoscaling=pool.autoscaling,
        labels={},
        sysctls={},
        taints=(),
        gpus=None,
        spot=False,
        reservation=None,
        image_streaming=None,
    )


def pool_specs(stack: Stack) -> tuple[NodePoolSpec, ...]:
    """All pools, the system pool first."""
    return (system_pool_spec(stack), *gpu_pool_specs(stack))


def gpu_pool_specs(stack: Stack) -> tuple[NodePoolSpec, ...]:
    """The scheduler pool and the worker pools."""
    schedulers = gpu_pool_spec(
        stack.scheduler_pool,
        stack=stack,
        role="scheduler",
        labels={DEDICATED_LABEL: SCHEDULER},
    )
    workers = (
        gpu_pool_spec(pool, stack=stack, role="worker", labels={}) for pool in stack.worker_pools
    )
    return (schedulers, *workers)


def gpu_pool_spec(
    pool: SchedulerPool | WorkerPool,
    *,
    stack: Stack,
    role: Role,
    labels: dict[str, str],
) -> NodePoolSpec:
    """A pool of Dask pods, with GPUs or without."""
    return NodePoolSpec(
        name=pool.name,
        generation=generation_of(pool, stack),
        role=role,
        machine_type=pool.machine_type,
        disk_size_gb=pool.disk_size_gb,
        disk_type=boot_disk(pool),
        zones=zones_of(pool, stack),
        node_count=fixed_size(pool),
        autoscaling=pool.autoscaling,
        labels=labels,
        sysctls=driver_mark(stack.driver) if pool.has_gpus else {},
        taints=taints_of(pool),
        gpus=Gpus(
            accelerator=pool.accelerator,
            per_node=pool.gpus_per_node,
            driver_version=gpu_driver_version(stack),
            clients_per_gpu=clients_per_gpu(pool),
            partition_size=partition_size(pool),
        )
        if pool.has_gpus
        else None,
        spot=pool.spot,
        reservation=affinity_of(pool, stack),
        image_streaming=pool.image_streaming,
    )


def driver_mark(driver: Driver) -> dict[str, str]:
    """Return the kernel parameter that names the driver: 580126020 for 580.126.20.

    Empty where our DaemonSet installs none, and for pools that were made without it.
    """
    if not isinstance(driver, DaemonSetDriver) or driver.version == driver.unmarked_version:
        return {}
    branch, minor, patch = (*(int(part) for part in driver.version.split(".")), 0)[:3]
    return {DRIVER_SYSCTL: str((branch * 1000 + minor) * 1000 + patch)}


def fixed_size(pool: Pool) -> int | None:
    """Nodes of a pool that is not autoscaled; GKE takes one size or the bounds, never both."""
    return None if pool.autoscaling else pool.min_nodes
