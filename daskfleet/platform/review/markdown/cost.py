"""What the fleet costs per month, before and after."""

from fractions import Fraction

from daskfleet.planning.cost_lines import HOURS_PER_MONTH, Cost, ShareKind
from daskfleet.platform.review.markdown.escape import bold, text
from daskfleet.platform.review.markdown.section import FOLDS, Section, row, table, unfolds
from daskfleet.platform.review.model import CostChange, Review, Verdict
from daskfleet.platform.review.wording import (
    cost_in_short,
    cost_is_unchanged,
    over_budget,
    price_age,
    usd,
    usd_after,
    usd_change,
)

MOST_NOTES = 10
UNKNOWN = "unknown"
SHARE_WORDS: dict[ShareKind, str] = {
    "unused": "*used by no team*",
    "platform": "*platform, for all*",
}


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
        *_details(review.cost),
    )


def _rows(change: CostChange) -> tuple[str, str]:
    known = (
        ("Floor: nothing runs", change.idle_before, change.idle_after, change.idle_at_least),
        ("Ceiling: all pools full", change.full_before, change.full_after, change.full_at_least),
    )
    idle, full = (
        row((label, usd(before), usd_after(after, at_least), _change(before, after)))
        for label, before, after, at_least in known
    )
    return idle, full


def _change(before: float | None, after: float | None) -> str:
    change = usd_change(before, after)
    return bold(change) if change[0] in "+-" and change != "-" else change


def _remarks(change: CostChange, review: Review) -> list[str]:
    saved = change.saved_by_cheap_schedulers
    remarks = [
        over_budget(change),
        f"Schedulers on cheap GPUs save {usd(saved)} USD a month." if saved else "",
        price_age(review),
    ]
    return [remark for remark in remarks if remark]


def _details(change: CostChange) -> tuple[Section, ...]:
    estimate = change.estimate
    return (_items(estimate), _shares(estimate)) if estimate else ()


def _items(estimate: Cost) -> Section:
    notes = "\n".join(f"- {text(note, 240)}" for note in estimate.notes[:MOST_NOTES])
    return Section(
        noun="items of the estimate",
        opening=unfolds("By item")
        + table(("", "USD per hour", "idle", "USD idle", "full", "USD full"), "<>>>>>"),
        items=tuple(
            row(
                (
                    text(line.item, 80),
                    UNKNOWN if line.usd_per_hour_each is None else f"{line.usd_per_hour_each:,.2f}",
                    f"{line.idle:,}",
                    UNKNOWN if line.is_idle_unknown else _monthly(line.usd_per_hour_idle),
                    f"{line.full:,}",
                    UNKNOWN if line.is_full_unknown else _monthly(line.usd_per_hour_full),
                )
            )
            for line in estimate.lines
        ),
        closing=f"\n\n{notes}{FOLDS}" if notes else FOLDS,
    )


def _monthly(usd_per_hour: Fraction, *, is_at_least: bool = False) -> str:
    amount = usd(float(usd_per_hour) * HOURS_PER_MONTH)
    return f"at least {amount}" if is_at_least else amount


def _shares(estimate: Cost) -> Section:
    """Who uses what is paid for."""
    return Section(
        noun="shares of the cost",
        opening=unfolds("By team") + table(("", "USD idle", "USD full"), "<>>"),
        items=tuple(
            row(
                (
                    SHARE_WORDS.get(share.kind, "") or text(share.team, 80),
                    _monthly(share.idle, is_at_least=share.idle_is_at_least),
                    _monthly(share.full, is_at_least=share.full_is_at_least),
                )
            )
            for share in estimate.shares
        ),
        closing=FOLDS,
    )
