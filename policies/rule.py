"""What a policy is, without the engine: a name, a level, parameters, and a pure check."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from daskfleet.settings.base import Settings
from policies.declared import Declared

Level = Literal["advisory", "mandatory"]


class Parameters(Settings):
    """What a stack may set of a policy."""


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


def read_parameters(rule: Rule[ParametersT], config: Mapping[str, Any]) -> ParametersT:
    """What a stack sets of a policy, and the defaults of all else.

    Raises:
        ValueError: there is no such parameter. Pulumi has checked the values of those that are.
    """
    known = rule.parameters.model_fields
    if unknown := [key for key in config if key not in known]:
        raise ValueError(
            f"Policy {rule.name} has no parameter {', '.join(unknown)}. It has "
            f"{', '.join(known) or 'none'}: correct the file given as --policy-pack-config."
        )
    return rule.parameters.model_validate(dict(config))
