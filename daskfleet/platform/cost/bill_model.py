"""What was billed for a month, beside what was forecast, as programs read it."""

from datetime import datetime
from enum import StrEnum

from daskfleet.platform.cost.bill_owner import OwnerKind
from daskfleet.platform.cost.document import Part


class LimitState(StrEnum):
    """How a month stands to its limit."""

    NONE = "none"
    """There is no limit."""

    WITHIN = "within"
    PASSES = "passes"
    """It has passed it, or will before the month is over."""

    UNKNOWN = "unknown"
    """The export does not tell, or is too old to."""

    TOO_EARLY = "too early"
    """The month is younger than the export may be late."""


class Billed(Part):
    """Somebody's part of the bill, in US dollars; None: the export does not tell."""

    kind: OwnerKind
    name: str
    """The team; else what it is, in words."""

    billed_usd: float | None
    month_usd: float | None
    """What the month has cost, or will have if it goes on like its last days."""

    forecast_idle_usd: float | None
    forecast_full_usd: float | None
    """Of a team, from its stack file; None as well where a price is missing."""

    beyond_forecast_usd: float | None
    """How far the month is above the ceiling, or below the floor if negative; 0: between them."""

    monthly_budget_usd: float | None
    state: LimitState


class Bill(Part):
    """Everything that `daskfleet cost --actual` says."""

    stack: str
    month: str
    source: str
    covered_until: datetime | None
    """To when the export has rows of the cluster."""

    is_over: bool
    """Whether the month is."""

    is_early: bool
    """Whether it is so young that the export need not have anything of it yet."""

    parts: tuple[Billed, ...]
    fleet: Billed
    """All that has the cluster's label, beside the whole forecast."""

    bytes_read: int | None = None
    notes: tuple[str, ...] = ()

    @property
    def states(self) -> frozenset[LimitState]:
        """Those of all limits."""
        return frozenset(part.state for part in (*self.parts, self.fleet))
