"""Unit: what the engine shows, as rules see it. The policy SDK is the pack's own, and played here.

With the real one, and the real engine: tests/rehearsal/end_to_end/test_policies.py.
"""

import importlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from types import ModuleType, SimpleNamespace
from typing import Annotated, Any

import pytest
from pydantic import Field

from policies.declared import UNKNOWN, Declared
from policies.rule import NoParameters, Parameters, Rule, Violation

UNSAID = object()


class UnknownValueError(Exception):
    """What the SDK raises at a value that an update will tell."""


class Proxy(dict[str, Any]):
    """Properties as the SDK hands them over."""

    def __getitem__(self, key: str) -> Any:
        if super().__getitem__(key) is UNSAID:
            raise UnknownValueError
        return super().__getitem__(key)


def policy(**said: Any) -> Any:
    return SimpleNamespace(**said)


@pytest.fixture
def crossguard(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The module, on a stand-in of the SDK that keeps what it is given."""
    sdk: Any = ModuleType("pulumi_policy")
    sdk.ResourceValidationPolicy = lambda **said: policy(scope="resource", **said)
    sdk.StackValidationPolicy = lambda **said: policy(scope="stack", **said)
    sdk.EnforcementLevel = str
    sdk.PolicyConfigSchema = lambda properties: properties
    for name in ("Policy", "ResourceValidation", "StackValidation", "ReportViolation"):
        setattr(sdk, name, object)
    for name in ("ResourceValidationArgs", "StackValidationArgs", "PolicyResource"):
        setattr(sdk, name, SimpleNamespace)
    proxy: Any = ModuleType("pulumi_policy.proxy")
    proxy.UnknownValueError = UnknownValueError
    monkeypatch.setitem(sys.modules, "pulumi_policy", sdk)
    monkeypatch.setitem(sys.modules, "pulumi_policy.proxy", proxy)
    yield importlib.import_module("policies.crossguard")
    del sys.modules["policies.crossguard"]


class Most(Parameters):
    """A limit."""

    most: Annotated[int, Field(ge=0)] = 1


def rule(scope: Any, seen: list[Declared], parameters: Any = NoParameters) -> Rule[Any]:
    def check(fleet: Sequence[Declared], given: Any) -> Iterator[Violation]:
        seen.extend(fleet)
        for each in fleet:
            if each.at("nodes") != UNKNOWN and each.at("nodes") > getattr(given, "most", 1):
                yield Violation(resource=each, message=f"{each.name} is large")

    return Rule(
        name=f"small-{scope}",
        description="No pool is large.",
        level="mandatory",
        scope=scope,
        parameters=parameters,
        check=check,
    )


def shown(props: Mapping[str, Any], *, name: str = "a", **opts: Any) -> Any:
    """A resource as the SDK shows it."""
    return SimpleNamespace(
        urn=f"urn:pulumi:dev::p::t::{name}",
        resource_type="gcp:container/nodePool:NodePool",
        props=Proxy(props),
        opts=SimpleNamespace(**{"protect": None, "parent": None, **opts}),
        get_config=dict,
    )


def test_a_rule_is_told_to_the_sdk_with_its_level_and_what_can_be_set(crossguard: Any) -> None:
    plain, limited = crossguard.policies_of([rule("resource", []), rule("stack", [], Most)])

    assert (plain.scope, plain.name, plain.config_schema) == ("resource", "small-resource", None)
    assert (limited.scope, limited.enforcement_level) == ("stack", "mandatory")
    assert limited.config_schema["most"]["minimum"] == 0


def test_a_violation_is_reported_with_its_resource(crossguard: Any) -> None:
    (small,) = crossguard.policies_of([rule("resource", [])])
    reported: list[tuple[str, str]] = []

    small.validate(shown({"nodes": 1}), lambda *said: reported.append(said))
    small.validate(shown({"nodes": 2}, name="b"), lambda *said: reported.append(said))

    assert reported == [("b is large", "urn:pulumi:dev::p::t::b")]


def test_what_a_stack_sets_is_what_the_rule_is_asked_with(crossguard: Any) -> None:
    (small,) = crossguard.policies_of([rule("resource", [], Most)])
    resource = shown({"nodes": 3})
    resource.get_config = lambda: {"most": 3}

    small.validate(resource, lambda *_: pytest.fail("three are allowed"))


def test_what_is_not_known_yet_is_marked_wherever_it_stands(crossguard: Any) -> None:
    seen: list[Declared] = []
    (small,) = crossguard.policies_of([rule("resource", seen)])
    inner = Proxy(zone=UNSAID, tags=["x"])

    small.validate(
        shown({"nodes": UNSAID, "config": [inner]}, protect=True, parent="urn:p"), lambda *_: None
    )

    (resource,) = seen
    assert resource.properties == {"nodes": UNKNOWN, "config": [{"zone": UNKNOWN, "tags": ["x"]}]}
    assert (resource.is_protected, resource.parent) == (True, "urn:p")


def test_a_stack_is_judged_by_inputs_less_what_nothing_is_known_of(crossguard: Any) -> None:
    seen: list[Declared] = []
    one, whole = crossguard.policies_of([rule("resource", []), rule("stack", seen)])
    one.validate(shown({"nodes": 1}), lambda *_: None)
    resources = [
        shown({"nodes": 9, "id": "x"}),
        shown({}, name="nothing"),
        shown({"nodes": 1}, name="outputs"),
    ]

    whole.validate(
        SimpleNamespace(resources=resources, get_config=dict),
        lambda *_: pytest.fail("by its inputs none is large"),
    )

    assert [(each.name, each.properties) for each in seen] == [
        ("a", {"nodes": 1}),
        ("outputs", {"nodes": 1}),
    ]
    assert (seen[0].is_protected, seen[0].parent) == (False, "")
