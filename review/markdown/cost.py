"""What the fleet costs per month, before and after."""

from planning.plan import HOURS_PER_MONTH
from review.markdown.escape import text
from review.markdown.section import FOLDS, Section, row, table, unfolds
from review.model import CostChange, Review, Verdict
from review.wording import (
    cost_in_short,
    cost_is_unchanged,
    over_budget,
    price_age,
    usd,
    usd_change,
)


def cost(review: Review) -> tuple[Section, ...]:
    """Floor and ceiling, then what else is to be known, then line by line in a fold."""
    if review.cost is None or (
        review.verdict is Verdict.NO_CHANGE and cost_is_unchanged(review.cost)
    ):
        return ()
    remarks = " ".join(_remarks(review.cost, review))
    if cost_is_unchanged(review.cost):
        short = cost_in_short(review.cost)
        return (Section(items=(f"**{short[0].upper()}{short[1:]}.** {remarks}".strip(),)),)
    return (
        Section(
            opening="#### Cost per month\n\n" + table(("USD", "before", "after", "change"), "<>>>"),
            items=tuple(_rows(review.cost)),
            closing=f"\n\n{remarks}" if remarks else "",
        ),
        _lines(review.cost),
    )


def _rows(change: CostChange) -> tuple[str, str]:
    known = (
        ("Floor: nothing runs", change.idle_before, change.idle_after),
        ("Ceiling: all pools full", change.full_before, change.full_after),
    )
    idle, full = (
        row((label, usd(before), usd(after), f"**{usd_change(before, after)}**"))
        for label, before, after in known
    )
    return idle, full


def _remarks(change: CostChange, review: Review) -> list[str]:
    saved = change.saved_by_cheap_schedulers
    remarks = [
        over_budget(change),
        f"Schedulers on cheap GPUs save {usd(saved)} USD a month." if saved else "",
        price_age(review),
    ]
    return [remark for remark in remarks if remark]


def _lines(change: CostChange) -> Section:
    if change.estimate is None:
        return Section(items=())
    each = [
        row(
            (
                text(line.item, 80),
                f"{line.usd_per_hour_each:,.2f}",
                f"{line.idle:,}",
                usd(line.idle * line.usd_per_hour_each * HOURS_PER_MONTH),
                f"{line.full:,}",
                usd(line.full * line.usd_per_hour_each * HOURS_PER_MONTH),
            )
        )
        for line in change.estimate.lines
    ]
    notes = "\n".join(f"- {text(note, 400)}" for note in change.estimate.notes[:8])
    return Section(
        noun="lines of the estimate",
        opening=unfolds("Line by line")
        + table(("", "USD per hour", "idle", "USD idle", "full", "USD full"), "<>>>>>"),
        items=tuple(each),
        closing=f"\n\n{notes}{FOLDS}" if notes else FOLDS,
    )
