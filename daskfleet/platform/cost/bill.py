"""Pure: what was billed for a month, put beside what was forecast, by team.

Nothing is spread: what Google gives to no team is a row of its own, and a team without a row in
the export has an unknown bill and not one of zero.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal

from daskfleet.platform.cost.bill_model import Bill, Billed, LimitState
from daskfleet.platform.cost.bill_month import Month
from daskfleet.platform.cost.bill_owner import (
    ELSEWHERE,
    FLEET,
    IN_CLUSTER,
    OTHERS,
    Owner,
    owner_of,
)
from daskfleet.platform.cost.document import CostDocument
from daskfleet.platform.cost.document import Share as ForecastShare
from daskfleet.platform.cost.focus import FocusError, FocusRow
from daskfleet.platform.cost.projection import (
    billed_usd,
    covered_until,
    end_of_export,
    is_early,
    is_late,
    projected,
)
from daskfleet.settings.stack import Stack


def bill_of(
    rows: Iterable[FocusRow],
    *,
    forecast: CostDocument,
    stack: Stack,
    month: Month,
    now: datetime,
    source: str,
    bytes_read: int | None = None,
) -> Bill:
    """Put a month's rows beside the forecast.

    Args:
        rows: of the month and the project, or of more, which is left out.
        forecast: of the stack as its file is now.
        stack: its settings.
        month: which.
        now: what is late and what is over is counted to.
        source: where the rows are from.
        bytes_read: what BigQuery bills the question by.

    Raises:
        FocusError: an amount is in a currency whose rate is not told.
    """
    by_owner = _by_owner(rows, stack, month)
    in_cluster = [row for (kind, _), of in by_owner.items() if kind in IN_CLUSTER for row in of]
    until = covered_until(in_cluster, now=now)
    view = _View(month=month, until=until, now=now)
    shares = {share.team: share for share in forecast.shares if share.kind == "team"}
    teams = [
        view.part(
            ("team", team.name),
            by_owner.get(("team", team.name), ()),
            forecast=_range(shares.get(team.name)),
            limit=team.monthly_budget_usd,
        )
        for team in stack.teams
    ]
    others = [view.part(owner, of) for owner in OTHERS if (of := by_owner.get(owner))]
    fleet = view.part(
        FLEET,
        in_cluster,
        forecast=(forecast.idle_usd_per_month, forecast.full_usd_per_month),
        limit=stack.monthly_budget_usd,
    )
    return Bill(
        stack=forecast.stack,
        month=month.name,
        source=source,
        covered_until=until,
        is_over=view.is_over,
        is_early=view.is_early,
        parts=(*teams, *others),
        fleet=fleet,
        bytes_read=bytes_read,
        notes=tuple(_notes(view, by_owner, teams)),
    )


def _by_owner(
    rows: Iterable[FocusRow], stack: Stack, month: Month
) -> Mapping[Owner, Sequence[FocusRow]]:
    found: dict[Owner, list[FocusRow]] = defaultdict(list)
    for row in rows:
        if row.sub_account_id == stack.project and month.has(row.billing_period_start):
            if row.usd is None:
                msg = f"a row is in {row.billing_currency} and has no x_CurrencyConversionRate"
                raise FocusError(msg)
            found[owner_of(row, stack)].append(row)
    return found


class _View:
    """What all parts are seen by."""

    def __init__(self, *, month: Month, until: datetime | None, now: datetime) -> None:
        self.month = month
        self.until = until
        self.is_over = not month.has(now)
        self.is_late = is_late(until, month=month, now=now)
        self.is_early = is_early(month=month, now=now)

    def part(
        self,
        owner: Owner,
        rows: Sequence[FocusRow],
        *,
        forecast: tuple[float | None, float | None] = (None, None),
        limit: float | None = None,
    ) -> Billed:
        billed = billed_usd(rows) if rows else None
        month_usd = projected(rows, self.month, until=self.until, is_over=self.is_over)
        return Billed(
            kind=owner[0],
            name=owner[1],
            billed_usd=_cents(billed),
            month_usd=_cents(month_usd),
            forecast_idle_usd=forecast[0],
            forecast_full_usd=forecast[1],
            beyond_forecast_usd=_beyond(month_usd, *forecast),
            monthly_budget_usd=limit,
            state=self._state(billed, month_usd, limit),
        )

    def _state(
        self, billed: Decimal | None, month_usd: Decimal | None, limit: float | None
    ) -> LimitState:
        if limit is None:
            return LimitState.NONE
        # What is certain is told however old the export is.
        if any(usd is not None and usd > Decimal(limit) for usd in (billed, month_usd)):
            return LimitState.PASSES
        if self.is_early:
            return LimitState.TOO_EARLY
        return LimitState.UNKNOWN if month_usd is None or self.is_late else LimitState.WITHIN


def _range(share: ForecastShare | None) -> tuple[float | None, float | None]:
    return (share.idle_usd_per_month, share.full_usd_per_month) if share else (None, None)


def _beyond(usd: Decimal | None, idle: float | None, full: float | None) -> float | None:
    if usd is None or idle is None or full is None:
        return None
    if usd > Decimal(full):
        return _cents(usd - Decimal(full))
    return _cents(usd - Decimal(idle)) if usd < Decimal(idle) else 0.0


def _notes(
    view: _View, by_owner: Mapping[Owner, Sequence[FocusRow]], teams: Sequence[Billed]
) -> Iterator[str]:
    if view.until is None:
        yield (
            f"The export has no row of the cluster for {view.month.name}. That is not zero: it may "
            "lag a day or more, begin later, or be of another billing account."
        )
        return
    if not any(kind != "cluster" for kind, _ in by_owner if kind in IN_CLUSTER):
        yield (
            "No row tells a namespace. GKE's cost allocation reaches the detailed export only, up "
            "to three days after a cluster's first hour."
        )
    elif missing := [team.name for team in teams if team.billed_usd is None]:
        yield f"No row, so unknown and not zero: {', '.join(missing)}."
    if view.is_over and view.until < end_of_export(view.month):
        yield (
            "The export does not reach the month's end: the rest is taken to be like its last days."
        )
    if view.is_late:
        yield "The export is late: what it has not told yet may be much."
    if elsewhere := by_owner.get(ELSEWHERE):
        yield f"Other clusters of the project were billed {billed_usd(elsewhere):,.2f} USD."


def _cents(usd: Decimal | None) -> float | None:
    return None if usd is None else float(round(usd, 2))
