"""What takes room on a node's boot disk."""

from dataclasses import dataclass
from functools import cache

from daskfleet.catalog.tables import Row, read_table


@dataclass(frozen=True, kw_only=True)
class DiskUse(Row):
    """One thing on the disk."""

    item: str
    gb: float
    """Thousands of millions of bytes, as container images are measured."""


@cache
def disk_uses() -> dict[str, DiskUse]:
    """All of them by item."""
    return {each.item: each for each in read_table("disk", DiskUse)}
