"""Unit: what holds for every policy, the ones that nobody has written yet included."""

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Any

import pytest

import policies
from policies.declared import UNKNOWN
from policies.rule import Rule, read_parameters
from policies.rules import RULES
from tests.policies.fleets import Fleet

EACH_RULE = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)


@EACH_RULE
def test_what_the_program_declares_passes(rule: Rule[Any], fleet: Fleet) -> None:
    assert fleet.violations(rule) == []


@EACH_RULE
def test_what_pulls_images_passes(rule: Rule[Any], pulling: Fleet) -> None:
    assert [each for each in pulling.resources if each.kind == "DaemonSet"][1:]
    assert pulling.violations(rule) == []


def places_in(value: Any) -> Iterator[tuple[str | int, ...]]:
    """The paths of everything in a document."""
    members = dict(enumerate(value)) if isinstance(value, list) else value
    for key, member in members.items() if isinstance(members, dict) else ():
        yield (key,)
        yield from ((key, *rest) for rest in places_in(member))


@EACH_RULE
def test_what_is_not_known_yet_is_no_violation(rule: Rule[Any], fleet: Fleet) -> None:
    for resource in fleet.resources:
        if resource.urn.endswith("-egress"):  # network policies are long, and no rule reads them
            continue
        for place in places_in(resource.properties):
            unknown = fleet.with_value(resource.name, *place, value=UNKNOWN)
            assert unknown.violations(rule) == [], (resource.name, place)


def test_every_file_with_a_rule_is_in_the_pack() -> None:
    modules = [
        importlib.import_module(f"policies.{module.name}")
        for module in pkgutil.iter_modules(policies.__path__)
        if module.name not in {"__main__", "crossguard"}
    ]
    written = {module.RULE.name for module in modules if hasattr(module, "RULE")}

    assert written == {rule.name for rule in RULES}
    assert len(written) == len(RULES)


@EACH_RULE
def test_a_misspelt_parameter_is_an_error_that_names_those_that_there_are(rule: Rule[Any]) -> None:
    with pytest.raises(ValueError, match=f"Policy {rule.name} has no parameter misspelt. It has"):
        read_parameters(rule, {"misspelt": 1})


@EACH_RULE
def test_a_parameter_has_a_default_and_says_what_it_is(rule: Rule[Any]) -> None:
    assert rule.parameters()
    for name, schema in rule.parameters.model_json_schema().get("properties", {}).items():
        assert "default" in schema, name
