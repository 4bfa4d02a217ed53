"""What an unquoted word of YAML is: text, number, truth value, nothing or moment, as for Pulumi.

Pulumi reads with gopkg.in/yaml.v3 (seen with 3.256): ``yes``, ``off`` and ``1:30`` are text, and
``017`` is 15. A number that readers of YAML take for different ones is refused.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from math import isfinite
from typing import Literal, TypeAlias

from daskfleet.stack_text.limits import LARGEST_NUMBER, LONGEST_NUMBER
from daskfleet.stack_text.mistakes import Misread
from daskfleet.stack_text.wording import AMBIGUOUS_NUMBER, TOO_LARGE, no_moment

Kind: TypeAlias = Literal["str", "int", "float", "bool", "null", "timestamp"]

WORDS: Mapping[str, tuple[Kind, bool | None]] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), ("null", None)),
    **dict.fromkeys(("true", "True", "TRUE"), ("bool", True)),
    **dict.fromkeys(("false", "False", "FALSE"), ("bool", False)),
}

WHOLE = re.compile(r"[-+]?(0|[1-9][0-9]*)")
BROKEN = re.compile(r"[-+]?(\.[0-9]+|(0|[1-9][0-9]*)(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
ODD = re.compile(
    r"[-+]?(0[xXoObB][0-9a-fA-F_]+|0[0-9_]+(\.[0-9_]*)?([eE][-+]?[0-9]+)?"
    r"|[0-9]+_[0-9_]*(\.[0-9_]*)?)"
    r"|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"
)
"""Hexadecimal, octal and binary numbers, underscores, leading zeros, and what is no number."""

MOMENT = re.compile(
    r"(?P<year>[0-9]{4})-(?P<month>[0-9]{1,2})-(?P<day>[0-9]{1,2})"
    r"(?:(?:[Tt](?=.*(?:Z|[-+][0-9]{2}:[0-9]{2})$)|[ ](?!.*(?:Z|[-+][0-9]{2}:[0-9]{2})$))"
    r"(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{1,2}):(?P<second>[0-9]{1,2})"
    r"(?:\.(?P<fraction>[0-9]{1,9}))?"
    r"(?P<zone>Z|[-+][0-9]{2}:[0-9]{2})?)?",
    re.ASCII,
)
"""The four forms of yaml.v3: a date; with ``T`` and a time and a zone; with a space and a time."""


@dataclass(frozen=True)
class Scalar:
    """A word, understood."""

    kind: Kind
    value: str | float | bool | None


def resolve(text: str) -> Scalar | Misread:
    """What an unquoted word is."""
    if text in WORDS:
        return Scalar(*WORDS[text])
    if text[0] not in "0123456789+-.":
        return Scalar("str", text)
    if WHOLE.fullmatch(text):
        return _whole(text)
    if BROKEN.fullmatch(text):
        return _broken(text)
    if ODD.fullmatch(text):
        return AMBIGUOUS_NUMBER
    moment = MOMENT.fullmatch(text)
    return _moment(moment) if moment else Scalar("str", text)


def _whole(text: str) -> Scalar | Misread:
    if len(text) > LONGEST_NUMBER or abs(int(text)) > LARGEST_NUMBER:
        return TOO_LARGE
    return Scalar("int", int(text))


def _broken(text: str) -> Scalar | Misread:
    if len(text) > LONGEST_NUMBER or not isfinite(float(text)):
        return TOO_LARGE
    return Scalar("float", float(text))


def _moment(found: re.Match[str]) -> Scalar | Misread:
    """A moment as Go prints it, which is how Pulumi hands it over (``settings.times``)."""
    part = {key: text or "0" for key, text in found.groupdict().items()}
    try:
        moment = datetime(
            year=int(part["year"]),
            month=int(part["month"]),
            day=int(part["day"]),
            hour=int(part["hour"]),
            minute=int(part["minute"]),
            second=int(part["second"]),
            microsecond=int(part["fraction"].ljust(9, "0")[:6]),
            tzinfo=_zone(found["zone"]),
        )
        moment.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        return no_moment(str(error))
    offset = f"{moment:%z}"
    name = offset if moment.utcoffset() else "UTC"
    return Scalar("timestamp", f"{moment.replace(tzinfo=None).isoformat(sep=' ')} {offset} {name}")


def _zone(text: str | None) -> timezone:
    if text in {None, "Z"}:
        return UTC
    hours, minutes = int(text[1:3]), int(text[4:6])
    offset = timedelta(hours=hours, minutes=minutes)
    return timezone(-offset if text[0] == "-" else offset)
