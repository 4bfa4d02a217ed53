"""Pure: what each node pool of a stack looks like, worked out from the settings."""

from dataclasses import dataclass
from typing import Literal

from components.node_contract import (
    DEDICATED_LABEL,
    GPU_TAINT,
    SCHEDULER,
    SCHEDULER_TAINT,
    Taint,
)
from settings.pools import Autoscaling, Pool, SchedulerPool, SystemPool, WorkerPool
from settings.software import DaemonSetDriver, Driver
from settings.stack import Stack

Role = Literal["system", "scheduler", "worker"]


@dataclass(frozen=True, kw_only=True)
class Gpus:
    """The GPUs of each node."""

    accelerator: str
    per_node: int
    driver_version: Literal["INSTALLATION_DISABLED", "DEFAULT", "LATEST"]
    """GKE's ``gpuDriverVersion``; disabled when our DaemonSet installs the driver."""

    clients_per_gpu: int
    """Pods that share one GPU in turns; 1 means that GPUs are not shared."""


@dataclass(frozen=True, kw_only=True)
class NodePoolSpec:
    """Everything that distinguishes one pool from another."""

    name: str
    role: Role
    machine_type: str
    disk_size_gb: int
    node_count: int | None
    """Fixed size; None when the pool is autoscaled."""

    autoscaling: Autoscaling | None
    labels: dict[str, str]
    taints: tuple[Taint, ...]
    gpus: Gpus | None
    spot: bool


def system_pool_spec(pool: SystemPool) -> NodePoolSpec:
    """The CPU pool for everything that needs no GPU."""
    return NodePoolSpec(
        name=pool.name,
        role="system",
        machine_type=pool.machine_type,
        disk_size_gb=pool.disk_size_gb,
        node_count=fixed_size(pool),
        autoscaling=pool.autoscaling,
        labels={},
        taints=(),
        gpus=None,
        spot=False,
    )


def gpu_pool_specs(stack: Stack) -> tuple[NodePoolSpec, ...]:
    """The scheduler pool and the worker pools."""
    schedulers = gpu_pool_spec(
        stack.scheduler_pool,
        role="scheduler",
        driver=stack.driver,
        labels={DEDICATED_LABEL: SCHEDULER},
        taints=(GPU_TAINT, SCHEDULER_TAINT),
    )
    workers = (
        gpu_pool_spec(pool, role="worker", driver=stack.driver, labels={}, taints=(GPU_TAINT,))
        for pool in stack.worker_pools
    )
    return (schedulers, *workers)


def gpu_pool_spec(
    pool: SchedulerPool | WorkerPool,
    *,
    role: Role,
    driver: Driver,
    labels: dict[str, str],
    taints: tuple[Taint, ...],
) -> NodePoolSpec:
    """A pool whose nodes have GPUs."""
    return NodePoolSpec(
        name=pool.name,
        role=role,
        machine_type=pool.machine_type,
        disk_size_gb=pool.disk_size_gb,
        node_count=fixed_size(pool),
        autoscaling=pool.autoscaling,
        labels=labels,
        taints=taints,
        gpus=Gpus(
            accelerator=pool.accelerator,
            per_node=pool.gpus_per_node,
            driver_version=(
                "INSTALLATION_DISABLED" if isinstance(driver, DaemonSetDriver) else driver.channel
            ),
            clients_per_gpu=pool.schedulers_per_gpu if isinstance(pool, SchedulerPool) else 1,
        ),
        spot=pool.spot,
    )


def fixed_size(pool: Pool) -> int | None:
    """Nodes of a pool that is not autoscaled; GKE takes one size or the bounds, never both."""
    return None if pool.autoscaling else pool.min_nodes
