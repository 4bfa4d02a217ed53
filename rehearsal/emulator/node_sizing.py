"""What a GKE node offers: capacity, and what is left of it after GKE's reservations.

Formulas: https://cloud.google.com/kubernetes-engine/docs/concepts/plan-node-sizes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rehearsal.emulator.gpu_driver import GPU_RESOURCE
from rehearsal.emulator.machines import machine_type, partitions_per_gpu

if TYPE_CHECKING:
    from rehearsal.emulator.document import Document

_EVICTION_MIB = 100
_SMALL_MACHINE_RESERVED_MIB = 255
_MEMORY_STEPS_GIB = ((4, 0.25), (4, 0.20), (8, 0.10), (112, 0.06), (float("inf"), 0.02))
_CPU_STEPS = ((1, 0.06), (1, 0.01), (2, 0.005), (float("inf"), 0.0025))
_LOCAL_SSD_GIB = 375
_LOCAL_SSD_RESERVED_GIB = {1: 50, 2: 75}
_LOCAL_SSD_RESERVED_MORE_GIB = 100


@dataclass(frozen=True, kw_only=True)
class NodeSize:
    """Resources of one node."""

    millicpu: int
    memory_mib: int
    ephemeral_storage_mib: int
    pods: int
    gpus: int
    """Units of ``nvidia.com/gpu``: clients, where GPUs are shared."""

    def quantities(self) -> Document:
        """Return Kubernetes resource quantities."""
        gpus = {GPU_RESOURCE: str(self.gpus)} if self.gpus else {}
        return {
            "cpu": f"{self.millicpu}m",
            "memory": f"{self.memory_mib}Mi",
            "ephemeral-storage": f"{self.ephemeral_storage_mib}Mi",
            "hugepages-1Gi": "0",
            "hugepages-2Mi": "0",
            "pods": str(self.pods),
            **gpus,
        }


def _tiered(amount: float, steps: tuple[tuple[float, float], ...]) -> float:
    reserved, left = 0.0, amount
    for width, share in steps:
        reserved += min(left, width) * share
        left = max(0.0, left - width)
    return reserved


def reserved_memory_mib(memory_gib: float) -> float:
    """Return what GKE keeps of a machine's memory, eviction threshold included."""
    if memory_gib < 1:
        return _SMALL_MACHINE_RESERVED_MIB + _EVICTION_MIB
    return _tiered(memory_gib, _MEMORY_STEPS_GIB) * 1024 + _EVICTION_MIB


def reserved_millicpu(vcpus: int) -> float:
    """Return what GKE keeps of a machine's CPUs."""
    return _tiered(vcpus, _CPU_STEPS) * 1000


def gpu_units(config: Document) -> int:
    """Return how many ``nvidia.com/gpu`` a node of this NodeConfig offers.

    One for each client of each partition, or of each GPU where they are whole. Raises
    InvalidArgumentError for a partition size that the GPU does not have.
    """
    units = 0
    for accelerator in config.get("accelerators", ()):
        size = accelerator.get("gpuPartitionSize")
        kind = accelerator.get("acceleratorType", "")
        partitions = partitions_per_gpu(kind, size) if size else 1
        clients = accelerator.get("gpuSharingConfig", {}).get("maxSharedClientsPerGpu", "1")
        units += int(accelerator["acceleratorCount"]) * partitions * int(clients)
    return units


def _storage(config: Document) -> tuple[float, float]:
    """Return capacity and reservation in GiB of the disk that holds pods' files."""
    disks = config.get("ephemeralStorageLocalSsdConfig", {}).get("localSsdCount", 0)
    if disks:
        capacity = float(disks * _LOCAL_SSD_GIB)
        kept = float(_LOCAL_SSD_RESERVED_GIB.get(disks, _LOCAL_SSD_RESERVED_MORE_GIB))
    else:
        capacity = float(config["diskSizeGb"])
        kept = min(capacity * 0.5, 6 + capacity * 0.35, 100.0)
    return capacity, capacity * 0.1 + kept


def node_size(config: Document, *, zone: str, max_pods: int) -> tuple[NodeSize, NodeSize]:
    """Return (capacity, allocatable) of a node of this NodeConfig in ``zone``.

    Raises InvalidArgumentError for an unknown machine type.
    """
    machine = machine_type(config["machineType"], zone=zone)
    disk_gib, disk_reserved_gib = _storage(config)
    gpus = gpu_units(config)
    capacity = NodeSize(
        millicpu=machine.vcpus * 1000,
        memory_mib=int(machine.memory_gb * 1024),
        ephemeral_storage_mib=int(disk_gib * 1024),
        pods=max_pods,
        gpus=gpus,
    )
    by_formula = capacity.millicpu - round(reserved_millicpu(machine.vcpus))
    allocatable = NodeSize(
        millicpu=machine.allocatable_millicpu or by_formula,
        memory_mib=int(capacity.memory_mib - reserved_memory_mib(machine.memory_gb)),
        ephemeral_storage_mib=int((disk_gib - disk_reserved_gib) * 1024),
        pods=max_pods,
        gpus=gpus,
    )
    return capacity, allocatable
