"""What a policy is, without the engine: a name, a level, parameters, and a pure check."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from policies.declared import Declared
from settings.base import Settings

Level = Literal["advisory", "mandatory"]


class Parameters(Settings):
    """What a stack may set of a policy; closed, so that a misspelt key is an error."""


class NoParameters(Parameters):
    """Of a policy whose level is all that can be set."""


@dataclass(frozen=True, kw_only=True)
class Violation:
    """What is wrong with which resource."""

    resource: Declared
    message: str
    """What is wrong, and what to do."""


ParametersT = TypeVar("ParametersT", bound=Parameters)


@dataclass(frozen=True, kw_only=True)
class Rule(Generic[ParametersT]):
    """One policy."""

    name: str
    description: str
    level: Level
    """Unless the stack's configuration says otherwise."""

    scope: Literal["resource", "stack"]
    """``resource``: asked before each resource is created or changed, with that one alone.
    ``stack``: asked once, at the end of the preview, with everything and the stack's outputs."""

    parameters: type[ParametersT]
    check: Callable[[Sequence[Declared], ParametersT], Iterator[Violation]]
