"""Under which name Google Compute Engine counts what machines take of a project's quota."""

from dataclasses import dataclass
from functools import cache

from daskfleet.catalog.tables import OptionalStr, Row, read_table

ALL_GPUS = "gpus"


@dataclass(frozen=True, kw_only=True)
class Quota(Row):
    """The quota metrics of one kind of thing; ``None`` where no source names one."""

    item: str
    """A GPU, a machine family (its vCPUs are counted), ``gpus`` or a type of disk."""

    metric: OptionalStr
    spot_metric: OptionalStr


@cache
def quotas() -> dict[str, Quota]:
    """All quotas by item."""
    return {quota.item: quota for quota in read_table("quotas", Quota)}
