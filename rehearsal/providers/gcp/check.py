"""Validation of a resource's inputs, with messages that name the input and what is allowed."""

import difflib
from collections.abc import Iterator
from typing import Any

from rehearsal.providers.gcp.input_schema import Block, InputType, ListOf, MapOf, Scalar
from rehearsal.providers.protocol import (
    UNKNOWN,
    CheckFailure,
    Path,
    Properties,
    Secret,
    format_path,
)

BOOKKEEPING = "__defaults"
"""Inputs key under which Pulumi's bridged providers list the inputs that they filled themselves."""


def failures(inputs: Properties, block: Block) -> tuple[CheckFailure, ...]:
    """Find everything that is wrong: unknown, missing or wrongly typed inputs."""
    declared = {key: value for key, value in inputs.items() if key != BOOKKEEPING}
    return tuple(_check_block((), declared, block))


def _check_block(path: Path, value: Properties, block: Block) -> Iterator[CheckFailure]:
    for name in sorted(block.required - value.keys()):
        yield _failure((*path, name), "is required and missing")
    for name, item in value.items():
        if item is None or name == BOOKKEEPING:
            continue
        if name in block.inputs:
            yield from _check((*path, name), item, block.inputs[name])
        else:
            yield _failure((*path, name), f"is not an input here; {_suggestion(name, block)}")


def _check(path: Path, value: Any, expected: InputType) -> Iterator[CheckFailure]:
    if isinstance(value, Secret):
        value = value.value
    if value is UNKNOWN:
        return
    match expected:
        case Block() if isinstance(value, dict):
            yield from _check_block(path, value, expected)
        case MapOf(item) if isinstance(value, dict):
            for key, entry in value.items():
                yield from _check((*path, key), entry, item)
        case ListOf(item) if isinstance(value, list):
            for index, entry in enumerate(value):
                yield from _check((*path, index), entry, item)
        case Scalar(python_type) if _is_a(value, python_type):
            return
        case _:
            wanted = _describe(expected)
            yield _failure(path, f"must be {wanted}, is {_describe_value(value)}")


def _is_a(value: Any, python_type: type) -> bool:
    """Accept what Pulumi's wire format makes of a type: numbers and booleans are kept apart."""
    if python_type is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return type(value) is python_type


def _failure(path: Path, reason: str) -> CheckFailure:
    text = format_path(path)
    return CheckFailure(text, f"input {text} {reason}")


def _suggestion(name: str, block: Block) -> str:
    near = difflib.get_close_matches(name, block.inputs, n=1)
    allowed = ", ".join(sorted(block.inputs))
    return f"did you mean {near[0]}?" if near else f"allowed are {allowed}"


def _describe(expected: InputType) -> str:
    match expected:
        case Block() | MapOf():
            return "an object"
        case ListOf():
            return "a list"
        case Scalar(python_type):
            names = {str: "a string", bool: "true or false", int: "a whole number"}
            return names.get(python_type, "a number")


def _describe_value(value: Any) -> str:
    """Say the kind of a value, never the value itself: it may be confidential."""
    kinds = {dict: "an object", list: "a list", str: "a string", bool: "a boolean"}
    return kinds.get(type(value), "a number")
