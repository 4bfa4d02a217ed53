"""Pure: where a live Kubernetes object is not as declared, by meaning instead of spelling."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from daskfleet.platform.drift.model import HIDDEN, Path

_QUANTITY = re.compile(r"([+-]?[0-9.]+)(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|)")
_UNITS = dict(
    zip(
        ["m", "", "k", "M", "G", "T", "P", "E"],
        (Decimal(1000) ** n for n in range(-1, 7)),
        strict=True,
    )
) | dict(
    zip(
        ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"],
        (Decimal(1024) ** n for n in range(1, 7)),
        strict=True,
    )
)
_QUANTITY_FIELDS = frozenset(
    {"default", "defaultRequest", "hard", "limits", "max", "min", "requests", "sizeLimit"}
)
"""Fields whose values the API server may answer in another spelling (apimachinery `Quantity`)."""


@dataclass(frozen=True, kw_only=True)
class Change:
    """A value that is not as declared; None stands for one that is absent."""

    path: Path
    declared: Any
    found: Any


def changes(declared: Any, found: Any, path: Path = ()) -> Iterator[Change]:
    """Find what differs of that which is declared; what was added to it is not looked at.

    Lists are compared item by item when they are equally long, else as a whole.
    """
    match declared, found:
        case Mapping(), Mapping():
            for key, value in declared.items():
                yield from changes(value, found.get(key), (*path, key))
        case list(), list() if len(declared) == len(found):
            for index, (one, other) in enumerate(zip(declared, found, strict=True)):
                yield from changes(one, other, (*path, index))
        case _ if declared == HIDDEN and found is not None:
            pass  # it is there; what it is, nobody kept to compare
        case _:
            if not _same(declared, found, path):
                yield Change(path=path, declared=declared, found=found)


def value_at(document: Any, path: Path) -> Any:
    """Return the value at a path, None when there is none."""
    for part in path:
        try:
            document = document[part]
        except (KeyError, IndexError, TypeError):
            return None
    return document


def _same(declared: Any, found: Any, path: Path) -> bool:
    if declared == found:
        return True
    if found is None:  # the API server leaves empty values out of its answers
        return declared in (None, "", {}, [])
    if _QUANTITY_FIELDS.isdisjoint(path):
        return False
    one, other = _quantity(declared), _quantity(found)
    return one is not None and one == other


def _quantity(value: Any) -> Decimal | None:
    match = _QUANTITY.fullmatch(str(value))
    return Decimal(match[1]) * _UNITS[match[2]] if match else None
