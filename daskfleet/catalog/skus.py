"""How Google's billing catalog calls the parts of which machines consist."""

from dataclasses import dataclass
from functools import cache
from typing import Literal

from daskfleet.catalog.tables import Row, read_table

Part = Literal["core", "ram", "gpu", "slice", "local-ssd", "disk"]
"""``slice``: a GPU with its share of the machine, the only SKU that the series has."""


@dataclass(frozen=True, kw_only=True)
class SkuName(Row):
    """The words with which the descriptions of a part's SKUs begin, before place and kind."""

    part: Part
    of: str
    """A series or family of machines, a GPU, or a type of disk."""

    text: str


@cache
def sku_names() -> dict[tuple[Part, str], tuple[str, ...]]:
    """The words by part and what it is a part of; some have several, by region."""
    names: dict[tuple[Part, str], tuple[str, ...]] = {}
    for row in read_table("skus", SkuName):
        names[row.part, row.of] = (*names.get((row.part, row.of), ()), row.text)
    return names
