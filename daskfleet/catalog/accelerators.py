"""GPUs: what they can do, which machines take them, and in which zones they exist."""

from dataclasses import dataclass
from functools import cache

from daskfleet.catalog.tables import OptionalFloat, OptionalInt, Row, Words, read_table


@dataclass(frozen=True, kw_only=True)
class Accelerator(Row):
    """A GPU as GKE's ``acceleratorType`` names it."""

    name: str
    compute_capability: float
    memory_gib: OptionalFloat
    """Memory of one GPU, where a source says it."""

    min_driver_branch: OptionalInt
    """Oldest branch of NVIDIA's driver that knows it, where a source says one."""

    regions: Words
    """Where no source names its zones: the regions that have it."""


@dataclass(frozen=True, kw_only=True)
class AttachLimit(Row):
    """The largest N1 machine to which so many of these GPUs can be attached."""

    accelerator: str
    count: int
    max_vcpus: int
    max_memory_gib: float


@dataclass(frozen=True, kw_only=True)
class Zone(Row):
    """A zone and its GPUs. Listed is not available: capacity is another matter."""

    name: str
    accelerators: Words


def gpu_name(accelerator: str) -> str:
    """A GPU as people call it: ``A100``, ``A100 80GB``, ``T4``."""
    name = accelerator.removeprefix("nvidia-").removeprefix("tesla-")
    return name.replace("-", " ").upper()


@cache
def accelerators() -> dict[str, Accelerator]:
    """All GPUs by name."""
    return {row.name: row for row in read_table("accelerators", Accelerator)}


@cache
def attach_limits() -> dict[tuple[str, int], AttachLimit]:
    """Limits of attachable GPUs by GPU and count; other counts cannot be attached."""
    return {
        (limit.accelerator, limit.count): limit for limit in read_table("attachable", AttachLimit)
    }


@cache
def zones() -> dict[str, Zone]:
    """All zones with GPUs by name."""
    return {zone.name: zone for zone in read_table("zones", Zone)}


def gpus_in(zone: str) -> set[str]:
    """GPUs of a zone, and of its region those of which no source names the zones."""
    region = zone.rpartition("-")[0]
    listed = zones().get(zone)
    of_region = {gpu.name for gpu in accelerators().values() if region in gpu.regions}
    return of_region | set(listed.accelerators if listed else ())
