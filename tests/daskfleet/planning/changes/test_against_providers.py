"""Unit: what the table says of each input is what the provider's own comparison says.

The providers are the rehearsal's, which were written from the real ones' sources apart from the
table. What options of a component decide is added here as the engine adds it.
"""

from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest

from daskfleet.catalog.changes import Operation, change_rows
from daskfleet.planning.changes.property_path import is_within, keys_of
from daskfleet.planning.changes.rules import row_of
from rehearsal.providers.gcp.provider import RESOURCE_TYPES, GcpProvider
from rehearsal.providers.kubernetes.kinds import kind_of_token
from rehearsal.providers.kubernetes.release import RELEASE_TYPE, HelmRelease
from rehearsal.providers.kubernetes.release_inputs import with_defaults
from rehearsal.providers.kubernetes.replacement import Mutability, diff_objects
from rehearsal.providers.kubernetes.settings import diff_settings, parse_settings
from rehearsal.providers.protocol import Diff, Naming, State
from rehearsal.providers.random.password import PASSWORD_TYPE, RandomPassword
from rehearsal.providers.tls.provider import RESOURCE_TYPES as TLS_TYPES
from tests.daskfleet.planning.changes.declared_inputs import WRAPPED, recordings
from tests.recorded_program import Registration

PLACES = {"project": "example-project", "region": "us-central1", "zone": "us-central1-c"}
CLOUD: Any = SimpleNamespace(
    api=None, places=PLACES, of=lambda inputs, name: inputs.get(name, PLACES.get(name))
)
IN_THE_STATE = {**TLS_TYPES, PASSWORD_TYPE: RandomPassword()}
"""Types that are nowhere but in the engine's state."""

Steps = tuple[str | int, ...]


@cache
def registrations() -> list[Registration]:
    """One resource for each type and form that the program makes, from all kinds of stacks."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        recorded = [each for one in recordings(monkeypatch) for each in one.registrations]
    return [each for each in recorded if each.is_custom]


def other_values(value: Any, steps: Steps = ()) -> Iterator[tuple[Steps, Any]]:
    """For each smallest part of a value another one."""
    match value:
        case dict() if value and WRAPPED not in value:
            for key, inner in value.items():
                yield from other_values(inner, (*steps, key))
        case list() if value:
            for position, inner in enumerate(value):
                yield from other_values(inner, (*steps, position))
        case bool():
            yield steps, not value
        case int() | float():
            yield steps, value + 1
        case dict():
            yield steps, {**value, "other": "other"}
        case list():
            yield steps, ["other"]
        case _:
            yield steps, f"{value}-other"


def changed(inputs: dict[str, Any], steps: Steps, value: Any) -> dict[str, Any]:
    """Inputs with one part of them changed."""
    copied: Any = deepcopy(inputs)
    holder = copied
    for step in steps[:-1]:
        holder = holder[step]
    holder[steps[-1]] = value
    return dict(copied)


def compared(each: Registration, old: dict[str, Any], new: dict[str, Any]) -> Diff:
    """The provider's comparison."""
    if each.type == "pulumi:providers:gcp":
        return GcpProvider().diff_config(old_inputs=old, inputs=new)
    if each.type == "pulumi:providers:kubernetes":
        return diff_settings(old=old, new=new)
    if each.type == RELEASE_TYPE:
        release = HelmRelease.__new__(HelmRelease)
        before, after = (with_defaults(inputs, name="x", namespace="x") for inputs in (old, new))
        return release.diff(old=State("id", before, before), inputs=after)
    if kind := kind_of_token(each.type):
        return diff_objects(kind, old=old, new=new, mutability=_mutability())
    if each.type in IN_THE_STATE:
        return IN_THE_STATE[each.type].diff(old=State("id", old, old), inputs=new)
    resource = RESOURCE_TYPES[each.type](CLOUD)
    naming = Naming(logical_name=each.name, seed=b"")
    before, after = (
        resource.check(inputs=inputs, old_inputs={}, naming=naming).inputs for inputs in (old, new)
    )
    return resource.diff(old=State(resource.identify(before), before, before), inputs=after)


@cache
def _mutability() -> Mutability:
    """What the program's own provider is told of ConfigMaps and Secrets."""
    (mutability,) = {
        parse_settings(each.inputs).mutability
        for each in registrations()
        if each.type == "pulumi:providers:kubernetes"
    }
    return mutability


def operation(each: Registration, steps: Steps, value: Any) -> Operation:
    """What the engine makes of another value."""
    keys = tuple(step for step in steps if isinstance(step, str))
    if any(is_within(keys, keys_of(path)) for path in each.ignore_changes):
        return "same"
    diff = compared(each, each.inputs, changed(each.inputs, steps, value))
    if not diff.changes:
        return "same"
    by_option = any(is_within(keys, keys_of(path)) for path in each.replace_on_changes)
    return "replace" if diff.replaces or by_option else "update"


def spelled(steps: Steps) -> str:
    """A path as the engine spells it."""
    return "".join(f"[{step}]" if isinstance(step, int) else f'["{step}"]' for step in steps)


@pytest.mark.parametrize("type_token", change_rows())
def test_the_engine_does_with_every_input_what_the_table_says(type_token: str) -> None:
    wrong = {}
    count = 0
    for each in registrations():
        if each.type != type_token:
            continue
        for steps, value in other_values(each.inputs):
            count += 1
            found = operation(each, steps, value)
            row = row_of(each.type, spelled(steps), name=each.name, operation=found)
            if row.operation != found:
                wrong[each.name, spelled(steps)] = (row.operation, found)

    assert count
    assert wrong == {}
