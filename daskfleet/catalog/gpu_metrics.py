"""What Google's DCGM exporter tells of a GPU."""

from dataclasses import dataclass
from functools import cache

from daskfleet.catalog.tables import Row, read_table


@dataclass(frozen=True, kw_only=True)
class GpuMetric(Row):
    """One field of NVIDIA's Data Center GPU Manager."""

    name: str
    what: str


@cache
def gpu_metrics() -> dict[str, GpuMetric]:
    """The metrics by name."""
    return {each.name: each for each in read_table("gpu_metrics", GpuMetric)}
