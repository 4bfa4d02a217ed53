"""How long steps take that others have timed; for a feeling, not for a promise."""

from dataclasses import dataclass
from functools import cache

from daskfleet.catalog.tables import Row, read_table


@dataclass(frozen=True, kw_only=True)
class Duration(Row):
    """A step, and the shortest and longest time that was published for it."""

    step: str
    low_s: int
    high_s: int


@cache
def durations() -> dict[str, Duration]:
    """All durations by step."""
    return {each.step: each for each in read_table("durations", Duration)}
