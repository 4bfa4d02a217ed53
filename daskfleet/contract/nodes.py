"""What node pools promise and pods rely on: the labels and taints that steer every pod."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, kw_only=True)
class Taint:
    """A taint, and at the same time the toleration that it asks for."""

    key: str
    value: str
    effect: Literal["NoSchedule"] = "NoSchedule"

    @property
    def gke_effect(self) -> str:
        """The effect in GKE's spelling."""
        return {"NoSchedule": "NO_SCHEDULE"}[self.effect]


POOL_LABEL = "cloud.google.com/gke-nodepool"
"""GKE writes the pool's name on each of its nodes."""

ZONE_LABEL = "topology.kubernetes.io/zone"
"""Label of every node with its zone (kubernetes.io, "Well-Known Labels")."""

ACCELERATOR_LABEL = "cloud.google.com/gke-accelerator"
"""GKE writes the GPU type on each node that has GPUs."""

DEDICATED_LABEL = "dedicated"
SCHEDULER = "scheduler"
"""``dedicated=scheduler`` marks the scheduler pool, as in RAPIDS' scheduler guide."""

WORKER = "worker"

DRIVER_SYSCTL = "vm.max_map_count"
"""The kernel parameter whose value names the driver that a node is to have (decision 0005). As a
parameter it is an upper limit for memory maps, which nobody reaches."""

DRIVER_VERSION_VARIABLE = "NVIDIA_DRIVER_VERSION"
"""The variable by which our installer is told the driver version that it installs."""

INSTALLER_NAMESPACE = "kube-system"
INSTALLER_NAME = "nvidia-driver-installer"
"""Our installer's DaemonSet, the one workload that may be privileged."""

PREPULL_NAMESPACE = "image-prepull"
"""Namespace of the pods that pull images. Not the operator's: every scheduler lets that in, and
these pods run a binary out of a team's image."""

PREPULL_CPU_M = 1
PREPULL_MEMORY_MIB = 8
"""What one of those pods requests. They wait for a registry and then for nothing; and on a node
whose GPUs' shares are rounded down to half cores as little as 6 thousandths of a core are left."""

GPU_RESOURCE = "nvidia.com/gpu"

GPU_TAINT = Taint(key=GPU_RESOURCE, value="present")
"""GKE adds this taint by itself only if a CPU pool exists at the moment a GPU pool is created
(terraform-google-kubernetes-engine#703); so every GPU pool declares it."""

SCHEDULER_TAINT = Taint(key=DEDICATED_LABEL, value=SCHEDULER)
"""Keeps workers, which also want a GPU, off the scheduler's GPU."""

WORKER_TAINT = Taint(key=DEDICATED_LABEL, value=WORKER)
"""On worker pools without GPUs, which no other taint protects: what needs no GPU and names no pool
(the operator, cluster DNS, GKE's own Deployments) would take the workers' room, and keep an
autoscaled pool from shrinking. The key is that of the scheduler pool, so no pod of ours that
tolerates one of the two values tolerates the other."""
