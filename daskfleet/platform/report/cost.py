"""What the fleet would cost, and whose part of it is how large."""

from collections.abc import Mapping
from dataclasses import dataclass

from daskfleet.platform.report.teams import TeamMark
from daskfleet.platform.report.words import dollars
from rehearsal.report.model import Cost, CostShare


@dataclass(frozen=True, kw_only=True)
class ShareRow:
    """Somebody's part."""

    name: str
    team: TeamMark | None
    kind: str
    """``team``, ``unused`` or ``platform``."""
    idle: str
    full: str
    idle_percent: float
    """Of the whole fleet with everything running, so that both bars have one scale."""
    full_percent: float


@dataclass(frozen=True, kw_only=True)
class Money:
    """The section on cost."""

    prices_as_of: str
    idle_hour: str
    idle_month: str
    full_hour: str
    full_month: str
    shares: tuple[ShareRow, ...]


def money_of(cost: Cost, marks: Mapping[str, TeamMark]) -> Money:
    """Tell the totals, and the shares by size with what belongs to no team last."""
    parts: list[tuple[str, str, CostShare]] = [
        (name, "team", share)
        for name, share in sorted(cost.teams.items(), key=lambda each: -each[1].full)
    ]
    if cost.unused is not None:
        parts.append(("GPUs that no team uses", "unused", cost.unused))
    if cost.platform is not None:
        parts.append(("what all teams need", "platform", cost.platform))
    return Money(
        prices_as_of=cost.prices_as_of,
        idle_hour=total_of(cost, cost.idle_usd_per_hour, cents=True),
        idle_month=total_of(cost, cost.idle_usd_per_month),
        full_hour=total_of(cost, cost.full_usd_per_hour, cents=True),
        full_month=total_of(cost, cost.full_usd_per_month),
        shares=tuple(_row(name, kind, share, cost, marks) for name, kind, share in parts),
    )


def total_of(cost: Cost, usd: float, *, cents: bool = False) -> str:
    """A total in words; at least, where a price is missing in it."""
    amount = dollars(usd, cents=cents)
    return f"at least {amount}" if cost.unpriced else amount


def _row(
    name: str, kind: str, share: CostShare, cost: Cost, marks: Mapping[str, TeamMark]
) -> ShareRow:
    return ShareRow(
        name=name,
        team=marks.get(name) if kind == "team" else None,
        kind=kind,
        idle=dollars(share.idle),
        full=dollars(share.full),
        idle_percent=_percent(share.idle, cost.full_usd_per_month),
        full_percent=_percent(share.full, cost.full_usd_per_month),
    )


def _percent(part: float, whole: float) -> float:
    return round(100 * part / whole, 3) if whole else 0
