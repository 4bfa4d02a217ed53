"""Input names and types of a resource, read from the installed `pulumi_gcp` Python SDK.

The SDK is generated from the provider's own schema, so the stand-in knows every input that the
real provider knows, in the same version, without a table of its own.
"""

import importlib
import inspect
import threading
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, TypeAlias, get_args, get_origin

from pulumi import Output
from pulumi._types import input_type_py_to_pulumi_names, input_type_types


@dataclass(frozen=True)
class Scalar:
    """A string, boolean or number."""

    python_type: type


@dataclass(frozen=True)
class ListOf:
    """A list of one type."""

    item: "InputType"


@dataclass(frozen=True)
class MapOf:
    """A map from free strings to one type."""

    item: "InputType"


@dataclass(frozen=True)
class Block:
    """An object with named inputs; `sdk_class` is where the SDK defines it."""

    sdk_class: type

    @property
    def inputs(self) -> Mapping[str, "InputType"]:
        """Types by Pulumi (camelCase) name."""
        return _block_inputs(self.sdk_class)

    @property
    def required(self) -> frozenset[str]:
        """Names of the inputs without which the SDK's class cannot be built."""
        return _block_required(self.sdk_class)


InputType: TypeAlias = Scalar | ListOf | MapOf | Block


_IMPORT_LOCK: Final = threading.Lock()
"""The SDK's modules load lazily, and another thread would see them half loaded."""


def block_of(module: str, sdk_class: str) -> Block:
    """Find an Args class, e.g. `pulumi_gcp.container`, `NodePoolArgs`; imports on first use."""
    with _IMPORT_LOCK:
        return Block(getattr(importlib.import_module(module), sdk_class))


@cache
def _block_inputs(sdk_class: type) -> Mapping[str, InputType]:
    return {name: _input_type(hint) for name, hint in input_type_types(sdk_class).items()}


@cache
def _block_required(sdk_class: type) -> frozenset[str]:
    names = input_type_py_to_pulumi_names(sdk_class)
    parameters = inspect.signature(sdk_class).parameters.values()
    return frozenset(
        names[parameter.name]
        for parameter in parameters
        if parameter.default is inspect.Parameter.empty and parameter.name in names
    )


def _input_type(hint: Any) -> InputType:
    hint = _without_input(hint)
    origin = get_origin(hint)
    if origin is Sequence:
        return ListOf(_input_type(get_args(hint)[0]))
    if origin is Mapping:
        return MapOf(_input_type(get_args(hint)[1]))
    if hint in (str, bool, int, float):
        return Scalar(hint)
    return Block(hint)


def _without_input(hint: Any) -> Any:
    """Take T out of the SDK's `Union[T, Awaitable[T], Output[T]]`."""
    for option in get_args(hint):
        if get_origin(option) not in (Awaitable, Output) and get_origin(hint) not in (
            Sequence,
            Mapping,
        ):
            return option
    return hint
