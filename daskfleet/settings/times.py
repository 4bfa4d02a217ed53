"""Moments in a stack file, and what Pulumi makes of them on the way."""

import re
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import AfterValidator, AwareDatetime, BeforeValidator

from daskfleet.settings.base import refusal

# Pulumi reads an unquoted YAML timestamp into Go's time.Time and hands over the text that Go prints
# (seen with 3.256): 2026-01-03T02:00:00Z arrives as "2026-01-03 02:00:00 +0000 UTC".
GO_TIME = re.compile(r"(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}(?:\.\d+)?) ([+-]\d{4}) \S+")


def _from_go(value: Any) -> Any:
    match = GO_TIME.fullmatch(value) if isinstance(value, str) else None
    return "{}T{}{}".format(*match.groups()) if match else value


def _exists_in_utc(value: datetime) -> datetime:
    try:
        value.astimezone(UTC)
    except OverflowError:
        raise refusal(
            "In UTC, as Google takes times, it is before year 1 or after year 9999.",
            allowed="a time with its zone, such as 2026-01-03T02:00:00Z",
            next_step="correct the year.",
        ) from None
    return value


Moment = Annotated[AwareDatetime, BeforeValidator(_from_go), AfterValidator(_exists_in_utc)]
"""A point in time with its zone, RFC 3339; with or without quotes in the file."""
