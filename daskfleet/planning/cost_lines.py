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

    usd_per_hour_each: float | None
    """None: nobody knows what all of it costs."""

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
        """What is known of what all of them cost when nothing runs.

        Exact, so that shares of it add up to it. ``is_idle_unknown`` says that it is not all.
        """
        return Fraction(self.usd_per_hour_each or 0) * self.idle

    @property
    def usd_per_hour_full(self) -> Fraction:
        """The same when every pool is at its largest."""
        return Fraction(self.usd_per_hour_each or 0) * self.full

    @property
    def is_idle_unknown(self) -> bool:
        """Whether there is something when nothing runs, and nobody knows what it costs."""
        return self.usd_per_hour_each is None and self.idle > 0

    @property
    def is_full_unknown(self) -> bool:
        """The same when every pool is at its largest."""
        return self.usd_per_hour_each is None and self.full > 0


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
    idle_is_at_least: bool = False
    """Whether a price is missing in it."""

    full_is_at_least: bool = False


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

    unpriced: tuple[str, ...] = ()
    """What of the fleet nobody knows the price of: machine types and attached GPUs."""

    @property
    def idle_usd_per_hour(self) -> float:
        """What is paid when nothing runs; at least, where ``idle_is_at_least``."""
        return float(sum(line.usd_per_hour_idle for line in self.lines))

    @property
    def full_usd_per_hour(self) -> float:
        """What is never exceeded; at least, where ``full_is_at_least``."""
        return float(sum(line.usd_per_hour_full for line in self.lines))

    @property
    def idle_is_at_least(self) -> bool:
        """Whether a price is missing in what is paid when nothing runs."""
        return any(line.is_idle_unknown for line in self.lines)

    @property
    def full_is_at_least(self) -> bool:
        """The same when every pool is at its largest."""
        return any(line.is_full_unknown for line in self.lines)
