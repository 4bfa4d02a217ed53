"""List prices in US dollars, without committed-use, sustained-use or negotiated discounts."""

from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Literal

from daskfleet.catalog.tables import OptionalFloat, OptionalStr, Row, read_table, sources

REFERENCE_REGION = "us-central1"
"""The region for which every item has a price."""


@dataclass(frozen=True, kw_only=True)
class Price(Row):
    """What one unit of one item costs in one region."""

    item: str
    """A machine type (with the GPUs that it always has), an attached GPU, or a service."""

    region: OptionalStr
    """``None``: the same everywhere."""

    unit: Literal["hour", "GiB month"]
    usd: float
    usd_spot: OptionalFloat

    @property
    def date(self) -> date | None:
        """When the price was read; ``None`` when no source says."""
        dates = [sources()[name].date for name in self.source]
        return min((date.fromisoformat(text) for text in dates if text), default=None)


@cache
def prices() -> dict[tuple[str, str | None], Price]:
    """All prices by item and region."""
    return {(price.item, price.region): price for price in read_table("prices", Price)}
