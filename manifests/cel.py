"""Pure: values in the Common Expression Language, for the API server's admission policies."""

import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

Value: TypeAlias = "str | bool | int | Sequence[Value] | Mapping[str, Value]"
"""What a manifest is made of; the operator's schema takes no null and no fraction."""


def literal(value: Value, *, holes: Mapping[str, str]) -> str:
    """Write a value as an expression.

    Texts that contain a key of ``holes`` are put together from its value, an expression that gives
    a string. Kubernetes compiles no list and no map whose members are of several types
    (``cel.HomogeneousAggregateLiterals`` in apiserver's ``cel/environment/base.go``): they become
    ``dyn`` unless all are text.

    Raises:
        TypeError: the value is not of a manifest.

    """
    if isinstance(value, str):
        return _text(value, holes)
    if isinstance(value, bool | int):
        return json.dumps(value)
    if isinstance(value, Mapping):
        members = _members(list(value.values()), holes)
        return (
            "{" + ", ".join(f"{_quoted(k)}: {v}" for k, v in zip(value, members, strict=True)) + "}"
        )
    if isinstance(value, list | tuple):
        return f"[{', '.join(_members(value, holes))}]"
    raise TypeError(f"{type(value).__name__} has no place in a manifest.")


def between(number: str, *, most: int) -> str:
    """Say that the expression ``number`` is none to ``most``."""
    return f"({number} >= 0 && {number} <= {most})"


def quantity_up_to(optional: str, *, most: str) -> str:
    """Say that the optional text of a quantity is there, more than 0, and up to ``most``.

    A container's limit of 0 is no limit.
    """
    value = f"{optional}.orValue('')"
    return (
        f"isQuantity({value}) && quantity({value}).isGreaterThan(quantity('0')) && "
        f"quantity({value}).compareTo(quantity('{most}')) <= 0"
    )


def _members(values: Sequence[Value], holes: Mapping[str, str]) -> list[str]:
    written = [literal(each, holes=holes) for each in values]
    if all(isinstance(each, str) for each in values):
        return written
    return [f"dyn({each})" for each in written]


def _text(text: str, holes: Mapping[str, str]) -> str:
    for mark, expression in holes.items():
        if mark in text:
            before, _, after = text.partition(mark)
            parts = [_text(before, holes)] if before else []
            parts += [expression]
            parts += [_text(after, holes)] if after else []
            return " + ".join(parts)
    return _quoted(text)


def _quoted(text: str) -> str:
    """JSON's escapes are CEL's too, but for pairs of surrogates, which are not used here."""
    return json.dumps(text, ensure_ascii=False)
