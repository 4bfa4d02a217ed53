"""Pure: a review's figures in words, the same on the pull request and in the terminal."""

import re
from collections.abc import Mapping
from itertools import takewhile

from daskfleet.catalog.changes import ChangeClass
from daskfleet.planning.changes.consequence import Consequence, Reason
from daskfleet.platform.review.model import CostChange, PropertyDiff, Review, Verdict

TITLES = {
    Verdict.NO_CHANGE: "No change",
    Verdict.SAFE: "Safe",
    Verdict.NEEDS_CARE: "Needs care",
    Verdict.DESTROYS: "Destroys",
    Verdict.FAILED: "Failed",
}

WORTH_LEAVING_OUT = 12
"""Characters that two values have in common."""

DONE = {
    "replace": "replaced",
    "delete": "deleted",
    "update": "updated",
    "create": "created",
    "import": "imported",
    "read": "read",
    "refresh": "refreshed",
    "unchanged": "unchanged",
}
"""By operation, in the order in which counts are told."""


def counts_of(counts: Mapping[str, int]) -> str:
    """``1 replaced, 2 updated, 61 unchanged``."""
    order = [*DONE, *sorted(counts.keys() - DONE.keys())]
    known = [f"{counts[key]:,} {DONE.get(key, key)}" for key in order if counts.get(key)]
    return ", ".join(known) or "no resources"


def quantity(count: int, noun: str) -> str:
    """``1 node``, ``2 nodes``."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def losses(consequence: Consequence) -> tuple[str, ...]:
    """``8 workers``, ``3 nodes``, ``12 GPUs``: what goes, be it for minutes."""
    counted = (
        (consequence.workers, "worker"),
        (consequence.nodes, "node"),
        (consequence.gpus, "GPU"),
    )
    return tuple(quantity(count, noun) for count, noun in counted if count)


def in_figures(consequence: Consequence) -> str:
    """``12 workers, 3 nodes, 12 GPUs go; back in 8 to 19 min``."""
    lost = losses(consequence)
    verb = "goes" if len(lost) == 1 and lost[0].startswith("1 ") else "go"
    goes = f"{', '.join(lost)} {verb}" if lost else ""
    takes = f"back in {consequence.duration}" if consequence.duration else ""
    return "; ".join(each for each in (goes, takes) if each)


def happens(consequence: Consequence) -> str:
    """The headline without its subject, which has a place of its own."""
    return consequence.headline.removeprefix(f"{consequence.subject}: ")


def forced_by(consequence: Consequence) -> Reason | None:
    """The first input, or else resource, that makes the consequence as bad as it is."""
    worst = [each for each in consequence.reasons if each.change_class is consequence.change_class]
    named = [each for each in worst if each.path]
    return next(iter([*named, *worst, *consequence.reasons]), None)


def short_path(path: str) -> str:
    """The last two keys of an input; they tell it well enough beside its subject."""
    keys = re.split(r"\.(?![^\[]*\])", path)
    return ".".join(keys[-2:])


def unlike(old: str, new: str) -> tuple[str, str]:
    """Two values without a long beginning that they share."""
    pairs = takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False))
    same = "".join(first for first, _ in pairs)
    end = max(same.rfind(each) for each in "/:@,= ") + 1
    return (old, new) if end < WORTH_LEAVING_OUT else (f"…{old[end:]}", f"…{new[end:]}")


def diffs_by_input(review: Review) -> dict[tuple[str, str], PropertyDiff]:
    """Each changed input by resource and path, as reasons spell them."""
    return {(step.title, diff.path): diff for step in review.steps for diff in step.diffs}


def usd(amount: float | None) -> str:
    """Whole US dollars; a dash where nobody knows."""
    return "-" if amount is None else f"{amount:,.0f}"


def usd_after(amount: float | None, at_least: float | None) -> str:
    """The same of a sum in which a price may be missing."""
    return usd(amount) if at_least is None else f"at least {usd(at_least)}"


def usd_change(before: float | None, after: float | None) -> str:
    """``+7,813 (+15 %)``."""
    if before is None or after is None:
        return "-"
    if round(after) == round(before):
        return "0"
    change = f"{after - before:+,.0f}"
    return f"{change} ({(after - before) / before:+.0%})".replace("%", " %") if before else change


def cost_is_unchanged(cost: CostChange) -> bool:
    """Whether floor and ceiling stay, to the dollar."""
    pairs = ((cost.idle_before, cost.idle_after), (cost.full_before, cost.full_after))
    return all(
        before is not None and after is not None and round(before) == round(after)
        for before, after in pairs
    )


def cost_in_short(cost: CostChange) -> str:
    """The change of floor and ceiling in a few words."""
    if cost.idle_after is None or cost.full_after is None:
        return _unknown_in_short(cost)
    if cost_is_unchanged(cost):
        return f"cost stays {usd(cost.idle_after)} to {usd(cost.full_after)} USD a month"
    if cost.idle_before is None or cost.full_before is None:
        return f"costs {usd(cost.idle_after)} to {usd(cost.full_after)} USD a month"
    idle, full = (
        round(cost.idle_after - cost.idle_before),
        round(cost.full_after - cost.full_before),
    )
    if idle == full:
        return f"{full:+,} USD a month"
    if idle == 0:
        return f"{full:+,} USD a month with all pools full, the same when idle"
    return f"{idle:+,} USD a month idle, {full:+,} with all pools full"


def _unknown_in_short(cost: CostChange) -> str:
    if not cost.unpriced:
        return "cost unknown"
    idle = usd_after(cost.idle_after, cost.idle_at_least)
    full = usd_after(cost.full_after, cost.full_at_least)
    return f"costs {idle} to {full} USD a month, since a price is not known"


def price_age(review: Review) -> str:
    """The age of the oldest price, at the time of the review."""
    if review.cost is None or review.cost.estimate is None:
        return ""
    priced_on = review.cost.estimate.priced_on
    age = quantity((review.made_at.date() - priced_on).days, "day")
    return f"List prices of {priced_on.isoformat()}, {age} old."


def over_budget(cost: CostChange) -> str:
    """What the budget says to the ceiling; empty without a budget."""
    if cost.budget is None:
        return ""
    if cost.full_at_least is not None:
        return (
            f"A price is not known, so nobody can say that the ceiling, at least "
            f"{usd(cost.full_at_least)} USD, is within the budget of {usd(cost.budget)} USD a "
            "month."
        )
    if cost.full_after is None:
        return ""
    over = cost.full_after - cost.budget
    if over > 0:
        return f"The ceiling is {usd(over)} USD over the budget of {usd(cost.budget)} USD a month."
    return f"Within the budget of {usd(cost.budget)} USD a month."


def labels_of(classes: tuple[ChangeClass, ...]) -> tuple[str, ...]:
    """The labels of a pull request that allow classes of change."""
    return tuple(f"daskfleet-allow:{each.value}" for each in classes)
