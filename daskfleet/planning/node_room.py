"""What a GKE node leaves for our pods: its size, less what GKE and its DaemonSets take."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor

from daskfleet.catalog.machines import DaemonSet, Machine, daemonsets
from daskfleet.contract.nodes import PREPULL_CPU_M, PREPULL_MEMORY_MIB

MIB_PER_GIB = 1024

# The kernel keeps 64 bytes per page of 4096 and a little more for itself. On published GKE nodes
# (n2-standard-4 of 1.36, n2-highmem-4, -16 and -64 of 1.25) capacity lies 388, 658, 2245 and 8306
# MiB below the machine's size; this formula gives 456, 712, 2248 and 8392.
KERNEL_SHARE = 1 / 64
KERNEL_FIXED_MIB = 200

# GKE's reservations (cloud.google.com/kubernetes-engine/docs/concepts/plan-node-sizes); with them
# the allocatable memory of the nodes above comes out to the MiB.
RESERVED_MEMORY = ((4096, 0.25), (4096, 0.20), (8192, 0.10), (114688, 0.06), (float("inf"), 0.02))
"""Width in MiB of each part of the memory, and the share of it that GKE reserves."""

RESERVED_CPU = ((1000, 0.06), (1000, 0.01), (2000, 0.005), (float("inf"), 0.0025))
"""The same for thousandths of a core."""

EVICTION_MIB = 100


@dataclass(frozen=True, kw_only=True)
class NodeRoom:
    """What pods of ours can have on one node."""

    cpu_m: int
    """Thousandths of a core."""

    memory_mib: int
    slots: int
    """Dask pods for which there is a GPU, or a share of one; without GPUs, an address."""

    pods: int
    """Pods for which there is an address."""

    @property
    def text(self) -> str:
        """Cores and memory as errors write them."""
        cores, gib = self.cpu_m / 1000, self.memory_mib / MIB_PER_GIB
        return f"{floor(cores * 10) / 10:g} cores and {floor(gib * 10) / 10:g} GiB"


def gpu_node_room(machine: Machine, *, slots: int, max_pods: int, pulls: int = 0) -> NodeRoom:
    """The room on a GPU node of ours.

    Args:
        machine: its machine type.
        slots: Dask pods that its GPUs serve.
        max_pods: pods per node, GKE's own among them.
        pulls: pods of ours that pull images.
    """
    return _node_room(machine, daemonsets(), slots=slots, max_pods=max_pods, pulls=pulls)


def cpu_node_room(machine: Machine, *, max_pods: int, pulls: int = 0) -> NodeRoom:
    """The room on a node without GPUs, on which cores, memory and addresses limit the pods."""
    agents = tuple(each for each in daemonsets() if not each.gpu_only)
    return _node_room(machine, agents, slots=None, max_pods=max_pods, pulls=pulls)


def _node_room(
    machine: Machine,
    agents: Sequence[DaemonSet],
    *,
    slots: int | None,
    max_pods: int,
    pulls: int,
) -> NodeRoom:
    nominal_mib = machine.memory_gib * MIB_PER_GIB
    capacity_mib = nominal_mib * (1 - KERNEL_SHARE) - KERNEL_FIXED_MIB
    cpu_m = machine.vcpus * 1000
    pods = max(0, max_pods - len(agents) - pulls)
    return NodeRoom(
        cpu_m=max(
            0,
            int(
                cpu_m
                - _reserved(cpu_m, RESERVED_CPU)
                - sum(a.cpu_m for a in agents)
                - pulls * PREPULL_CPU_M
            ),
        ),
        memory_mib=max(
            0,
            int(
                capacity_mib
                - _reserved(capacity_mib, RESERVED_MEMORY)
                - EVICTION_MIB
                - sum(a.memory_mib for a in agents)
                - pulls * PREPULL_MEMORY_MIB
            ),
        ),
        slots=pods if slots is None else slots,
        pods=pods,
    )


def _reserved(amount: float, parts: Sequence[tuple[float, float]]) -> float:
    reserved = 0.0
    for width, share in parts:
        reserved += min(amount, width) * share
        amount = max(0.0, amount - width)
    return reserved
