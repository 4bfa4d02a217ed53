"""What committed use takes off the list price."""

from dataclasses import dataclass
from functools import cache

from daskfleet.catalog.tables import OptionalFloat, Row, read_table


@dataclass(frozen=True, kw_only=True)
class Commitment(Row):
    """The discounts of a machine series or of an attached GPU, in us-central1.

    They are relative to the price on demand of a whole hour, before sustained use. Elsewhere they
    differ by about a point, and some regions sell none for N1.
    """

    item: str
    """A series of machine types such as ``a2-highgpu``, or an attached GPU."""

    percent_1_year: OptionalFloat
    percent_3_years: OptionalFloat

    def percent(self, years: int) -> float | None:
        """The discount for so many years."""
        return {1: self.percent_1_year, 3: self.percent_3_years}[years]


@cache
def commitments() -> dict[str, Commitment]:
    """All discounts by item; what is not here is not known to have one."""
    return {each.item: each for each in read_table("commitments", Commitment)}
