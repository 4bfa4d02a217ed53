"""A resource's outputs: its inputs echoed, and what only the server can say."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any, TypeAlias

from rehearsal.providers.gcp.check import BOOKKEEPING
from rehearsal.providers.gcp.rest_mapping import get_path, put_path
from rehearsal.providers.protocol import Properties

ValueOf: TypeAlias = Callable[[str, str], Any]
"""Gives a computed output's value by its dotted Pulumi name and its REST path; None: has none."""


def echoed(inputs: Properties, *, computed: Mapping[str, str], value_of: ValueOf) -> Properties:
    """Echo the inputs and add computed outputs where no input stands."""
    outputs = deepcopy({name: value for name, value in inputs.items() if name != BOOKKEEPING})
    for name, path in computed.items():
        value = value_of(name, path)
        if get_path(outputs, name) is None and value is not None:
            put_path(outputs, name, value)
    return outputs
