"""Read a table of facts into typed rows."""

import csv
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Annotated, TypeVar

from pydantic import BeforeValidator, TypeAdapter


@dataclass(frozen=True, kw_only=True)
class Row:
    """A fact that says where it was read."""

    source: "Words"
    """Names of rows in ``data/sources.csv``."""


RowT = TypeVar("RowT")

# Rows are read from tables, and from documents that hold what was made of them: a list stays one
# there, and a zero is no empty cell.
Words = Annotated[
    tuple[str, ...],
    BeforeValidator(lambda cell: cell.split() if isinstance(cell, str) else cell),
]
"""Several words in one cell, separated by spaces."""

empty_is_none = BeforeValidator(lambda cell: None if cell == "" else cell)
OptionalStr = Annotated[str | None, empty_is_none]
OptionalInt = Annotated[int | None, empty_is_none]
OptionalFloat = Annotated[float | None, empty_is_none]
OptionalDate = Annotated[date | None, empty_is_none]


def read_table(name: str, row_type: type[RowT]) -> tuple[RowT, ...]:
    """The rows of ``data/<name>.csv``.

    Raises:
        pydantic.ValidationError: a cell does not hold what ``row_type`` says.
    """
    text = (files(__package__) / "data" / f"{name}.csv").read_text("utf-8")
    return TypeAdapter(tuple[row_type, ...]).validate_python(  # type: ignore[valid-type]
        list(csv.DictReader(text.splitlines()))
    )


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where and when facts were read."""

    name: str
    url: OptionalStr
    date: OptionalStr
    """ISO date of the text itself; empty when it carries none."""

    what: str


@cache
def sources() -> dict[str, Source]:
    """All sources by name."""
    return {source.name: source for source in read_table("sources", Source)}
