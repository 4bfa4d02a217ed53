"""Fleets that the rules are asked about: what the real program declares, and changes of it."""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

import pytest

from components.outputs.fleet import fleet_outputs
from policies.declared import STACK_TYPE, Declared
from policies.rule import Rule
from tests.daskfleet.planning.documents import planned
from tests.recorded_program import Registration, record

SETTINGS: dict[str, Any] = {
    "project": "example-project",
    "scheduler_pool": {"machine_type": "n1-standard-4", "schedulers_per_gpu": 2},
    "worker_pools": [{"name": "a100", "node_count": 2}],
    "teams": [
        {"name": "alpha", "workers": 2, "labels": {"cost-center": "cc-1"}},
        {"name": "beta", "workers": 1, "labels": {"cost-center": "cc-2"}},
    ],
}

CLUSTER = "cluster-control-plane"
SCHEDULER_POOL = "scheduler-pool-nodes"
WORKER_POOL = "a100-nodes"
DASK = "alpha-dask-cluster"
NAMESPACE = "alpha-namespace"
INSTALLER = "nvidia-driver-installer"
OPERATOR = "dask-release"
ADDRESS = "alpha-address"


@dataclass(frozen=True)
class Fleet:
    """What a program declares, to be asked about and changed."""

    resources: tuple[Declared, ...]

    def violations(self, rule: Rule[Any], **parameters: Any) -> list[tuple[str, str]]:
        """Names of resources with what is wrong with them, asked in the rule's scope."""
        given = rule.parameters.model_validate(parameters)
        together: list[Sequence[Declared]] = (
            [self.resources]
            if rule.scope == "stack"
            else [(each,) for each in self.resources if each.type != STACK_TYPE]
        )
        return [
            (violation.resource.name, violation.message)
            for asked in together
            for violation in rule.check(asked, given)
        ]

    def names(self, rule: Rule[Any], **parameters: Any) -> list[str]:
        """Names of the resources that violate a rule."""
        return [name for name, _ in self.violations(rule, **parameters)]

    def with_value(self, name: str, *path: str | int, value: Any) -> "Fleet":
        """The fleet with one property of one resource changed."""
        return self._changed(
            name, lambda each: replace(each, properties=_with(each.properties, path, value))
        )

    def without(self, name: str) -> "Fleet":
        """The fleet without a resource."""
        assert name in {each.name for each in self.resources}
        return Fleet(tuple(each for each in self.resources if each.name != name))

    def unprotected(self, name: str) -> "Fleet":
        """The fleet with one resource that is not protected."""
        return self._changed(name, lambda each: replace(each, is_protected=False))

    def with_resource(self, type_token: str, name: str, properties: Mapping[str, Any]) -> "Fleet":
        """The fleet with another resource."""
        added = Declared(urn=_urn(type_token, name), type=type_token, properties=properties)
        return Fleet((*self.resources, added))

    def in_stack(self, stack: str) -> "Fleet":
        """The fleet of a stack of another name."""
        return Fleet(
            tuple(
                replace(each, urn=each.urn.replace("urn:pulumi:test:", f"urn:pulumi:{stack}:"))
                for each in self.resources
            )
        )

    def _changed(self, name: str, change: Callable[[Declared], Declared]) -> "Fleet":
        changed = [change(each) if each.name == name else each for each in self.resources]
        assert changed != list(self.resources), name
        return Fleet(tuple(changed))


def recorded(**changes: Any) -> Fleet:
    """What the program declares for two teams that share a T4, with some settings changed."""
    settings = {**SETTINGS, **changes}
    outputs = fleet_outputs(planned(settings))
    stack = Declared(urn=_urn(STACK_TYPE, "daskfleet-test"), type=STACK_TYPE, properties=outputs)
    with pytest.MonkeyPatch.context() as patch:
        registered = record(settings, patch).registrations
    # In which order the program registers, chance decides.
    declared = sorted(
        (_declared(each) for each in registered if each.type != STACK_TYPE),
        key=lambda each: each.urn,
    )
    return Fleet((*declared, stack))


def _declared(registration: Registration) -> Declared:
    return Declared(
        urn=_urn(registration.type, registration.name),
        type=registration.type,
        properties=registration.inputs,
        is_protected=registration.is_protected,
        parent=registration.parent,
    )


def _urn(type_token: str, name: str) -> str:
    return f"urn:pulumi:test::daskfleet::{type_token}::{name}"


def _with(holder: Any, path: Sequence[str | int], value: Any) -> Any:
    """A copy with one value changed, which shares with the holder all that lies beside the path."""
    if not path:
        return value
    step, *rest = path
    changed: Any = copy(holder)
    if isinstance(changed, dict):
        if value is None and not rest:
            changed.pop(step, None)
        else:
            changed[step] = _with(changed.get(step, {}), rest, value)
    else:
        changed[step] = _with(changed[step], rest, value)
    return changed
