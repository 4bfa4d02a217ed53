"""Read Google's list prices with the user's credentials, and keep them beside the stack files."""

import csv
import io
from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path

import httpx

from daskfleet.catalog.prices import Price, own_prices, prices
from daskfleet.files import write_file
from daskfleet.google_cloud.access import get_access
from daskfleet.google_cloud.asking import AnswerError
from daskfleet.google_cloud.billing_catalog import read_skus
from daskfleet.platform.cost.price_changes import Refreshed, refreshed
from daskfleet.platform.cost.sku_prices import sku_prices

COLUMNS = ("item", "region", "unit", "usd", "usd_spot", "read_on", "source")


def refresh_prices(
    file: Path, *, region: str, environment: Mapping[str, str], today: date
) -> Refreshed:
    """Ask for all prices of a region, and put them in place of those that the file has of it.

    Rows of other regions stay. What the answer has no price of keeps the catalog's.

    Raises:
        NoAccessError: there is no token.
        AnswerError: the answer is not whole, or has no machine of the region.
        PricesFileError: the file that is there cannot be read.
        OSError: it cannot be written.
    """
    others = [price for price in own_prices(file) if price.region != region]
    with httpx.Client() as http:
        skus = read_skus(http, access=get_access(environment), environment=environment)
    found = sku_prices(skus, region=region, today=today)
    if not found.prices:
        msg = f"none of {len(skus)} SKUs is a part of a machine in {region}"
        raise AnswerError(msg)
    done = refreshed(found, prices(), region=region, file=str(file))
    write_file(file, as_csv([*others, *found.prices]))
    return done


def as_csv(rows: Iterable[Price]) -> str:
    """The rows of a file of one's own, by region and item."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for price in sorted(rows, key=lambda each: (each.region or "", each.item)):
        writer.writerow(
            [
                price.item,
                price.region or "",
                price.unit,
                *("" if usd is None else f"{usd:.10g}" for usd in (price.usd, price.usd_spot)),
                price.read_on.isoformat() if price.read_on else "",
                " ".join(price.source),
            ]
        )
    return text.getvalue()
