"""Pure: where the prices of an estimate are from, and which of them to doubt."""

from collections.abc import Iterable, Iterator

from daskfleet.catalog.prices import OWN_FILE, REFERENCE_REGION, Price, catalog_prices
from daskfleet.planning.tariff import Tariff
from daskfleet.settings.prices import GivenPrice
from daskfleet.settings.stack import Stack

FAR_BELOW = 0.5
"""Times the catalog's price below which one of the file is told with both: a budget is held against
it, no list price has halved, and a contract's price belongs into the stack file with its source."""


def price_notes(stack: Stack, tariff: Tariff) -> Iterator[str]:
    """Say what was borrowed, given, read from the user's own file, undated, or of spot machines."""
    if tariff.borrowed:
        yield (
            f"No price for {stack.region} is known for {', '.join(tariff.borrowed)}: "
            f"{REFERENCE_REGION}'s was taken."
        )
    if tariff.given:
        given = ", ".join(
            f"{item} {stack.prices[item].usd_per_hour:,.2f} USD per hour"
            f"{_spot(stack.prices[item])} ({stack.prices[item].source})"
            for item in sorted(tariff.given)
        )
        yield f"Prices of the stack file: {given}."
    if tariff.own:
        yield f"Prices of stacks/{OWN_FILE.name}, not of the catalog: {', '.join(tariff.own)}."
    if told := ", ".join(_far_below(tariff.used)):
        yield f"Far below the catalog's, in stacks/{OWN_FILE.name}: {told}."
    if tariff.undated:
        yield f"The sources of these prices carry no date: {', '.join(tariff.undated)}."
    if tariff.without_spot:
        yield (
            f"No spot price is known for {', '.join(sorted(tariff.without_spot))}: the price on "
            "demand was taken."
        )
    if any(pool.spot for pool in (stack.scheduler_pool, *stack.worker_pools)):
        yield "Spot prices change within weeks."


def _spot(price: GivenPrice) -> str:
    usd = price.usd_per_hour_spot
    return "" if usd is None else f", as spot {usd:,.2f}"


def _far_below(used: Iterable[Price]) -> Iterator[str]:
    known = catalog_prices()
    for price in sorted(used, key=lambda each: each.item):
        listed = known.get((price.item, price.region)) or known.get((price.item, REFERENCE_REGION))
        if listed is None:
            continue
        pairs = (("", price.usd, listed.usd), (", as spot", price.usd_spot, listed.usd_spot))
        for kind, usd, listed_usd in pairs:
            if usd is not None and listed_usd is not None and usd < FAR_BELOW * listed_usd:
                yield f"{price.item}{kind} {usd:.4g} USD per {price.unit}, not {listed_usd:.4g}"
