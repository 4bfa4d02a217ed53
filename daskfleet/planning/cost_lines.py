"""What a fleet costs: its lines, what they come to, and who causes which part."""

from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Literal

from daskfleet.catalog.prices import Price

HOURS_PER_MONTH = 730
"""What Google's own price pages use."""


@dataclass(frozen=True, kw_only=True)
class CostLine:
    """What one part of the fleet costs in US dollars."""

    item: str
    """A pool's name, or a service."""

    usd_per_hour_each: float
    idle: int
    """How many there are when nothing runs."""

    full: int
    """How many there are when every pool is at its largest."""

    pool: str = ""
    """The pool of Dask pods whose teams share it; empty: the platform's, or the team's."""

    team: str = ""
    """The team whose own it is."""

    @property
    def usd_per_hour_idle(self) -> Fraction:
        """What all of them cost when nothing runs; exact, so that shares of it add up to it."""
        return Fraction(self.usd_per_hour_each) * self.idle

    @property
    def usd_per_hour_full(self) -> Fraction:
        """What all of them cost when every pool is at its largest."""
        return Fraction(self.usd_per_hour_each) * self.full


ShareKind = Literal["team", "unused", "platform"]
"""``unused``: GPUs that no team declares pods for. ``platform``: what all teams need."""


@dataclass(frozen=True, kw_only=True)
class CostShare:
    """Somebody's part of the cost, in US dollars per hour; all shares of a fleet make its cost."""

    kind: ShareKind
    team: str
    """Empty but for the kind ``team``."""

    idle: Fraction
    full: Fraction


@dataclass(frozen=True, kw_only=True)
class Cost:
    """An estimate from list prices; network traffic, storage and most discounts are not in it."""

    lines: tuple[CostLine, ...]
    priced_on: date
    """Age of the oldest dated price."""

    notes: tuple[str, ...]
    """What a reader of the figures should know."""

    prices: tuple[Price, ...] = ()
    """The prices that went into it, with their sources."""

    shares: tuple[CostShare, ...] = ()
    """Teams in the order of the stack file, then what is unused, then the platform."""

    @property
    def idle_usd_per_hour(self) -> float:
        """What is paid when nothing runs."""
        return float(sum(line.usd_per_hour_idle for line in self.lines))

    @property
    def full_usd_per_hour(self) -> float:
        """What is never exceeded."""
        return float(sum(line.usd_per_hour_full for line in self.lines))
