"""List prices in US dollars, without committed-use, sustained-use or negotiated discounts.

The catalog's own, and in their place those of ``stacks/prices.csv``, where that is: whoever has the
fleet keeps it beside the stack files, and `daskfleet cost --refresh` writes it.
"""

import csv
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter, ValidationError

from daskfleet.catalog.tables import (
    OptionalDate,
    OptionalStr,
    Row,
    empty_is_none,
    read_table,
    sources,
)
from daskfleet.checkout import STACKS_DIR
from daskfleet.visible import in_short

REFERENCE_REGION = "us-central1"
"""The region for which every item has a price."""

CLOUD_BILLING = "cloud_billing"
"""The source of rows that `daskfleet cost --refresh` wrote."""

OWN_FILE = STACKS_DIR / "prices.csv"

LONGEST_NAMED = 200
"""Characters of the file that an error repeats."""


Usd = Annotated[
    Annotated[float, Field(gt=0, allow_inf_nan=False)] | None,
    empty_is_none,
]
"""An amount that a budget can be held against: not even "not a number" is above one."""


class PricesFileError(Exception):
    """The file of one's own prices cannot be read as one."""


@dataclass(frozen=True, kw_only=True)
class Price(Row):
    """What one unit of one item costs in one region."""

    item: str
    """A machine type (with the GPUs that it always has), an attached GPU, or a service."""

    region: OptionalStr
    """``None``: the same everywhere."""

    unit: Literal["hour", "GiB month"]
    usd: Usd
    """``None``: Google sells none on demand."""

    usd_spot: Usd
    read_on: OptionalDate = None
    """When Google gave it; of the catalog's rows it is the date of their source."""

    @property
    def date(self) -> date | None:
        """When the price was read; ``None`` when no source says."""
        if self.read_on:
            return self.read_on
        dates = [sources()[name].date for name in self.source]
        return min((date.fromisoformat(text) for text in dates if text), default=None)


@cache
def prices() -> dict[tuple[str, str | None], Price]:
    """All prices by item and region.

    Raises:
        PricesFileError: ``stacks/prices.csv`` is no such file.
    """
    return catalog_prices() | {(price.item, price.region): price for price in own_prices(OWN_FILE)}


@cache
def catalog_prices() -> dict[tuple[str, str | None], Price]:
    """Those of the catalog."""
    return {(price.item, price.region): price for price in read_table("prices", Price)}


def own_prices(file: Path) -> tuple[Price, ...]:
    """Those of a file of one's own; none where there is no file.

    Raises:
        PricesFileError: it cannot be read.
    """
    try:
        reader = csv.DictReader(file.read_text("utf-8").splitlines())
        rows = list(reader)
        if "item" not in (reader.fieldnames or ()):
            # Else such a file would hold no price, and be written over.
            raise PricesFileError("line 1: the names of the columns are not there")
        found = TypeAdapter(tuple[Price, ...]).validate_python(rows)
    except FileNotFoundError:
        return ()
    except ValidationError as error:
        first = error.errors()[0]
        line, *where = first["loc"]
        column = ".".join(map(str, where))
        msg = f"line {int(line) + 2}, {column}: {first['msg']}"
        raise PricesFileError(msg) from error
    except (OSError, ValueError, csv.Error) as error:
        raise PricesFileError(str(error)) from error
    unknown = sorted({name for price in found for name in price.source} - sources().keys())
    if unknown:
        msg = f"source: nobody knows {in_short(', '.join(unknown), LONGEST_NAMED)}"
        raise PricesFileError(msg)
    return found
