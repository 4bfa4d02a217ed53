"""Machine types, and what GKE itself takes of each node."""

import re
from dataclasses import dataclass
from functools import cache

from daskfleet.catalog.tables import OptionalInt, OptionalStr, Row, Words, read_table

TYPE_NAME = re.compile(
    r"[a-z]\d{1,2}[a-z]?-"
    r"(micro|small|medium|custom|standard|(high|ultra|mega|hyper)(mem|cpu|gpu)|(max|edge)gpu)"
    r"(-(\d+[gt]?|lssd|nolssd|metal|ext))*"
)
"""``n2-standard-2``, ``e2-medium``, ``n2d-custom-4-8192-ext``: how Compute Engine names its types
(cloud.google.com/compute/docs/machine-resource)."""


@dataclass(frozen=True, kw_only=True)
class Machine(Row):
    """A Compute Engine machine type."""

    name: str
    vcpus: int
    memory_gib: float
    accelerator: OptionalStr
    """GPU that the type always has; ``None`` where GPUs are attached, or there are none."""

    accelerator_count: OptionalInt
    disks: Words
    """Types of network disk that it takes; it boots from the first."""

    local_ssd_gib: OptionalInt
    """Local SSD that the type always has, 0 for none; ``None`` where no source says."""

    nvlink_gpus: int
    """GPUs that one NVLink domain joins, those of other machines included; 0: no NVLink."""

    regions: Words
    """Regions that offer the type (not: that have one free)."""

    not_for_pools: OptionalStr
    """Why no pool can have it, although GKE does."""


@dataclass(frozen=True, kw_only=True)
class DaemonSet(Row):
    """What one DaemonSet requests on each node of its kind."""

    name: str
    cpu_m: int
    """CPU request in thousandths of a core."""

    memory_mib: int
    gpu_only: bool
    """Whether it runs on GPU nodes alone."""


@cache
def machines() -> dict[str, Machine]:
    """All machine types by name."""
    return {machine.name: machine for machine in read_table("machines", Machine)}


@cache
def daemonsets() -> tuple[DaemonSet, ...]:
    """The DaemonSets of a node: those of GKE with Dataplane V2, and our driver installer."""
    return read_table("daemonsets", DaemonSet)
