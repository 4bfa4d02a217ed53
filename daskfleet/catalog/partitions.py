"""Multi-instance GPUs (MIG): into which partitions GKE divides which card."""

from dataclasses import dataclass
from functools import cache

from daskfleet.catalog.tables import OptionalFloat, Row, read_table


@dataclass(frozen=True, kw_only=True)
class Partition(Row):
    """A size into which GKE divides each GPU of a pool."""

    accelerator: str
    size: str
    """As GKE's ``gpuPartitionSize`` spells it: compute units and memory, ``1g.5gb``."""

    per_gpu: int
    """How many of them one GPU makes."""

    memory_gib: OptionalFloat
    """Memory of one, where its name is close to what it has."""


@cache
def partitions() -> dict[tuple[str, str], Partition]:
    """All partitions by GPU and size; a GPU that is not here has none."""
    return {(row.accelerator, row.size): row for row in read_table("partitions", Partition)}


def partitions_of(accelerator: str) -> tuple[Partition, ...]:
    """The partitions of one GPU, the smallest first."""
    return tuple(row for (name, _), row in partitions().items() if name == accelerator)
