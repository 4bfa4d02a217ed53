"""The cost of a stack as programs read it; what people read is made from it."""

from collections.abc import Iterator, Sequence
from datetime import date

from pydantic import BaseModel, ConfigDict

from daskfleet.catalog.prices import Price
from daskfleet.catalog.tables import sources
from daskfleet.planning.budget import BudgetState, budget_of
from daskfleet.planning.cheap_schedulers import scheduler_saving
from daskfleet.planning.cost_lines import HOURS_PER_MONTH, CostLine, ShareKind
from daskfleet.planning.cost_shares import MonthlyShare, in_cents, monthly_shares
from daskfleet.planning.plan import FleetPlan
from daskfleet.planning.sleep_cost import floor_of

STALE_AFTER_DAYS = 90
"""Google may change list prices at any time, and spot prices daily (cloud.google.com/spot-vms)."""


class Part(BaseModel):
    """What every part of the document is."""

    model_config = ConfigDict(frozen=True)


class Item(Part):
    """A part of the fleet. The cents of all items add up to those of the fleet.

    None where a price is missing: unknown, and in no sum.
    """

    item: str
    pool: str
    """GPU pool whose teams share it; empty: the platform's."""

    usd_per_hour_each: float | None
    idle: int
    full: int
    idle_usd_per_month: float | None
    full_usd_per_month: float | None


class Share(Part):
    """Somebody's part of the cost. The cents of all shares add up to those of the fleet.

    None where a price is missing in it: then it is at least what has a price.
    """

    kind: ShareKind
    team: str
    idle_usd_per_month: float | None
    full_usd_per_month: float | None
    idle_usd_per_month_at_least: float
    full_usd_per_month_at_least: float


class Budget(Part):
    """The ceiling beside the budget."""

    state: BudgetState
    monthly_budget_usd: float | None
    text: str


class SchedulerPool(Part):
    """What the schedulers would cost more on GPUs of the worker pools; None: a price is missing."""

    saved_usd_per_month: float | None
    text: str


class Floor(Part):
    """What is paid with nobody at work, where teams let their workers sleep.

    None where a price is missing.
    """

    without_sleep_usd_per_month: float | None
    with_sleep_usd_per_month: float | None
    text: str


class PriceSource(Part):
    """Where prices were read."""

    name: str
    url: str | None
    read_on: date | None
    """Date of the text itself; unknown for undated copies."""

    what: str


class ItemPrice(Part):
    """A price that went into the cost."""

    item: str
    region: str | None
    """None: the same everywhere."""

    unit: str
    usd: float | None
    """None: Google sells none on demand."""

    usd_spot: float | None
    read_on: date | None
    sources: tuple[str, ...]


class CostDocument(Part):
    """Everything that `daskfleet cost` says."""

    stack: str
    region: str
    idle_usd_per_hour: float | None
    """None in this and the next three where a price is missing in them; see ``unpriced``."""

    full_usd_per_hour: float | None
    idle_usd_per_month: float | None
    full_usd_per_month: float | None
    idle_usd_per_month_at_least: float
    """What has a price; the same as above where everything has one."""

    full_usd_per_month_at_least: float
    unpriced: tuple[str, ...]
    """Machine types and attached GPUs of the fleet of which nobody knows the price."""

    items: tuple[Item, ...]
    shares: tuple[Share, ...]
    budget: Budget
    scheduler_pool: SchedulerPool
    floor: Floor | None = None
    """None where no team has ``idle`` or ``hours``."""

    prices_as_of: date
    """Date of the oldest dated price."""

    prices_age_days: int
    prices: tuple[ItemPrice, ...]
    sources: tuple[PriceSource, ...]
    notes: tuple[str, ...]
    warnings: tuple[str, ...]
    """What the checks of the stack file allow but a reader should know."""


def document_of(plan: FleetPlan, *, stack: str, today: date) -> CostDocument:
    """Put a plan's cost into a document.

    Args:
        plan: a stack that passed every check.
        stack: its name.
        today: what the age of the prices is counted to.
    """
    cost = plan.cost
    budget = budget_of(cost, plan.stack.monthly_budget_usd)
    saving = scheduler_saving(plan.stack)
    items = _items(cost.lines)
    age_days = (today - cost.priced_on).days
    idle_usd = round(sum(item.idle_usd_per_month or 0 for item in items), 2)
    full_usd = round(sum(item.full_usd_per_month or 0 for item in items), 2)
    return CostDocument(
        stack=stack,
        region=plan.stack.region,
        idle_usd_per_hour=None if cost.idle_is_at_least else round(cost.idle_usd_per_hour, 4),
        full_usd_per_hour=None if cost.full_is_at_least else round(cost.full_usd_per_hour, 4),
        idle_usd_per_month=None if cost.idle_is_at_least else idle_usd,
        full_usd_per_month=None if cost.full_is_at_least else full_usd,
        idle_usd_per_month_at_least=idle_usd,
        full_usd_per_month_at_least=full_usd,
        unpriced=cost.unpriced,
        items=items,
        shares=tuple(map(_share, monthly_shares(cost))),
        budget=Budget(state=budget.state, monthly_budget_usd=budget.budget, text=budget.text),
        scheduler_pool=SchedulerPool(saved_usd_per_month=_in_cents(saving.saved), text=saving.text),
        floor=_floor(plan),
        prices_as_of=cost.priced_on,
        prices_age_days=age_days,
        prices=tuple(map(_price, cost.prices)),
        sources=_sources(cost.prices),
        notes=(*_stale(age_days), *cost.notes),
        warnings=tuple(warning for warning in plan.warnings if warning != budget.text),
    )


def _stale(age_days: int) -> Iterator[str]:
    if age_days > STALE_AFTER_DAYS:
        yield (
            f"Its oldest price is {age_days} days old, and prices change: `daskfleet cost "
            "--refresh` reads Google's of today."
        )


def _floor(plan: FleetPlan) -> Floor | None:
    floor = floor_of(plan)
    if floor is None:
        return None
    return Floor(
        without_sleep_usd_per_month=_in_cents(floor.without_sleep),
        with_sleep_usd_per_month=_in_cents(floor.with_sleep),
        text=floor.text,
    )


def _in_cents(usd: float | None) -> float | None:
    return None if usd is None else round(usd, 2)


def _share(share: MonthlyShare) -> Share:
    idle_usd, full_usd = share.idle_cents / 100, share.full_cents / 100
    return Share(
        kind=share.kind,
        team=share.team,
        idle_usd_per_month=None if share.idle_is_at_least else idle_usd,
        full_usd_per_month=None if share.full_is_at_least else full_usd,
        idle_usd_per_month_at_least=idle_usd,
        full_usd_per_month_at_least=full_usd,
    )


def _items(lines: Sequence[CostLine]) -> tuple[Item, ...]:
    idle = in_cents([line.usd_per_hour_idle * HOURS_PER_MONTH for line in lines])
    full = in_cents([line.usd_per_hour_full * HOURS_PER_MONTH for line in lines])
    return tuple(
        Item(
            item=line.item,
            pool=line.pool,
            usd_per_hour_each=None
            if line.usd_per_hour_each is None
            else round(line.usd_per_hour_each, 6),
            idle=line.idle,
            full=line.full,
            idle_usd_per_month=None if line.is_idle_unknown else idle_cents / 100,
            full_usd_per_month=None if line.is_full_unknown else full_cents / 100,
        )
        for line, idle_cents, full_cents in zip(lines, idle, full, strict=True)
    )


def _price(price: Price) -> ItemPrice:
    return ItemPrice(
        item=price.item,
        region=price.region,
        unit=price.unit,
        usd=price.usd,
        usd_spot=price.usd_spot,
        read_on=price.date,
        sources=price.source,
    )


def _sources(prices: Sequence[Price]) -> tuple[PriceSource, ...]:
    names = sorted({name for price in prices for name in price.source})
    found = [sources()[name] for name in names]
    return tuple(
        PriceSource(
            name=source.name,
            url=source.url,
            read_on=date.fromisoformat(source.date) if source.date else None,
            what=source.what,
        )
        for source in found
    )
