"""Rows of a bill in the columns of FOCUS, the FinOps Foundation's format, and a file of them."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
)

from daskfleet.files import write_file
from daskfleet.visible import in_short

MOST_BYTES = 100_000_000
"""Of a file. A month of a fleet is some thousand rows of 300 bytes."""

LONGEST_SHOWN = 200

Amount = Annotated[Decimal, Field(ge=-(10**12), le=10**12, allow_inf_nan=False)]
"""Credits and corrections are below zero."""

LEAST_RATE = Decimal("1e-9")
"""Of a currency; an amount that is divided by less may be beyond what Decimal has."""

FIRST_YEAR, LAST_YEAR = 2000, 2199
"""Beyond them are slips, and times that have no day in another zone."""

Text = Annotated[str, StringConstraints(max_length=1000)]


class FocusError(Exception):
    """Rows that are not what they should be, in words with the row and the column."""


def _tags(value: Any) -> Any:
    try:
        return json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        msg = "not a JSON object"
        raise ValueError(msg) from None


def _in_reach(moment: datetime) -> datetime:
    if not FIRST_YEAR <= moment.year <= LAST_YEAR:
        msg = f"not a time of the years {FIRST_YEAR} to {LAST_YEAR}"
        raise ValueError(msg)
    return moment


Moment = Annotated[AwareDatetime, AfterValidator(_in_reach)]


def _nothing(value: Any) -> Any:
    """An empty cell of a CSV file is none."""
    return None if value == "" else value


class FocusRow(BaseModel):
    """What one service cost on one day, of one namespace."""

    model_config = ConfigDict(frozen=True)

    billed_cost: Annotated[Amount, Field(alias="BilledCost")]
    """What the invoice asks for it, in ``billing_currency``, with all credits."""

    effective_cost: Annotated[Amount, Field(alias="EffectiveCost")]
    """The same with what was paid in advance spread over time; Google's view has no difference."""

    billing_currency: Annotated[str, Field(alias="BillingCurrency", pattern=r"^[A-Z]{3}$")]
    billing_period_start: Annotated[Moment, Field(alias="BillingPeriodStart")]
    """Of the invoice's month, which may be the one after the use."""

    charge_period_start: Annotated[Moment, Field(alias="ChargePeriodStart")]
    charge_period_end: Annotated[Moment, Field(alias="ChargePeriodEnd")]
    service_name: Annotated[Text, Field(alias="ServiceName")]
    sub_account_id: Annotated[
        Text | None, BeforeValidator(_nothing), Field(alias="SubAccountId")
    ] = None
    """The project."""

    tags: Annotated[dict[Text, Text | None], BeforeValidator(_tags), Field(alias="Tags")]
    """Labels by their keys."""

    x_currency_conversion_rate: Annotated[
        Annotated[Decimal, Field(ge=LEAST_RATE, le=10**9, allow_inf_nan=False)] | None,
        BeforeValidator(_nothing),
        Field(alias="x_CurrencyConversionRate"),
    ] = None
    """How much of the currency was a US dollar; Google's own column."""

    @property
    def usd(self) -> Decimal | None:
        """What is billed in US dollars; None where the rate is not known."""
        if self.billing_currency == "USD":
            return self.billed_cost
        rate = self.x_currency_conversion_rate
        return None if rate is None else self.billed_cost / rate


COLUMNS = tuple(str(field.alias) for field in FocusRow.model_fields.values())


def focus_rows(
    rows: Iterable[Mapping[str, str | None]], *, first_number: int = 1
) -> tuple[FocusRow, ...]:
    """Read rows.

    Raises:
        FocusError: one is not what it should be.
    """
    return tuple(_row(row, number) for number, row in enumerate(rows, start=first_number))


def _row(row: Mapping[str, str | None], number: int) -> FocusRow:
    try:
        return FocusRow.model_validate(row)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        column = in_short(str(first["loc"][0]), LONGEST_SHOWN)
        shown = in_short(str(first["input"]), LONGEST_SHOWN)
        msg = f"row {number}, {column}: {first['msg']}; it has {shown}"
        raise FocusError(msg) from None


def read_focus_file(file: Path) -> tuple[FocusRow, ...]:
    """Read a CSV file that has the columns of ``COLUMNS``, and perhaps others.

    Raises:
        FocusError: it is no such file.
        OSError: it cannot be read.
    """
    with file.open("rb") as opened:
        content = opened.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        msg = f"it has more than {MOST_BYTES // 10**6} MB"
        raise FocusError(msg)
    try:
        return focus_rows(_csv(content.decode("utf-8-sig")), first_number=2)
    except (UnicodeDecodeError, csv.Error) as error:
        msg = f"it is no CSV file: {error}"
        raise FocusError(msg) from None


def _csv(text: str) -> Iterator[dict[str, str | None]]:
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    there = reader.fieldnames or ()
    needed = [str(f.alias) for f in FocusRow.model_fields.values() if f.is_required()]
    if missing := [name for name in needed if name not in there]:
        msg = f"it has no column {', '.join(missing)}; a file of --save-focus has"
        raise FocusError(msg)
    for row in reader:
        yield {name: row.get(name) for name in COLUMNS if name in there}


def write_focus_file(file: Path, rows: Iterable[FocusRow]) -> None:
    """Write a CSV file that ``read_focus_file`` reads, and others who know FOCUS.

    Raises:
        OSError: it cannot be written.
    """
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        values = row.model_dump(mode="json", by_alias=True)
        writer.writerow({**values, "Tags": json.dumps(row.tags, sort_keys=True)})
    write_file(file, text.getvalue())
