"""Rules as Pulumi's policy SDK wants them: the only module that imports it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pulumi_policy
from pulumi_policy.proxy import UnknownValueError

from policies.declared import UNKNOWN, Declared
from policies.rule import Rule, read_parameters


class Inputs:
    """The inputs of each resource that the engine has shown in this run.

    At the end of a run the engine shows outputs alone, and a preview that makes the cluster has
    none of anything inside it.
    """

    def __init__(self) -> None:
        self._by_urn: dict[str, Mapping[str, Any]] = {}

    def keep(self, resource: Declared) -> None:
        """Remember a resource as it was shown."""
        self._by_urn[resource.urn] = resource.properties

    def instead_of_outputs(self, resources: Sequence[Declared]) -> Iterator[Declared]:
        """The resources with their inputs, less those of which nothing is known."""
        for resource in resources:
            properties = self._by_urn.get(resource.urn) or resource.properties
            if properties:
                yield replace(resource, properties=properties)


def policies_of(rules: Sequence[Rule[Any]]) -> list[pulumi_policy.Policy]:
    """The policies of rules that are asked together, in one run of the engine."""
    inputs = Inputs()
    return [_policy(rule, inputs) for rule in rules]


def _policy(rule: Rule[Any], inputs: Inputs) -> pulumi_policy.Policy:
    schema = rule.parameters.model_json_schema()["properties"]
    common = {
        "name": rule.name,
        "description": rule.description,
        "enforcement_level": pulumi_policy.EnforcementLevel(rule.level),
        "config_schema": pulumi_policy.PolicyConfigSchema(properties=schema) if schema else None,
    }
    if rule.scope == "resource":
        return pulumi_policy.ResourceValidationPolicy(validate=_one(rule, inputs), **common)
    return pulumi_policy.StackValidationPolicy(validate=_all(rule, inputs), **common)


def _one(rule: Rule[Any], inputs: Inputs) -> pulumi_policy.ResourceValidation:
    def validate(
        args: pulumi_policy.ResourceValidationArgs, report: pulumi_policy.ReportViolation
    ) -> None:
        resource = _resource(args)
        inputs.keep(resource)
        _report(rule, [resource], args.get_config(), report)

    return validate


def _all(rule: Rule[Any], inputs: Inputs) -> pulumi_policy.StackValidation:
    def validate(
        args: pulumi_policy.StackValidationArgs, report: pulumi_policy.ReportViolation
    ) -> None:
        fleet = list(inputs.instead_of_outputs(list(map(_resource, args.resources))))
        _report(rule, fleet, args.get_config(), report)

    return validate


def _report(
    rule: Rule[Any],
    fleet: Sequence[Declared],
    config: Mapping[str, Any],
    report: pulumi_policy.ReportViolation,
) -> None:
    for violation in rule.check(fleet, read_parameters(rule, config)):
        report(violation.message, violation.resource.urn)


def _resource(
    given: pulumi_policy.ResourceValidationArgs | pulumi_policy.PolicyResource,
) -> Declared:
    return Declared(
        urn=given.urn,
        type=given.resource_type,
        properties=_plain(given.props),
        is_protected=bool(given.opts.protect),
        parent=given.opts.parent or "",
    )


def _plain(value: Any) -> Any:
    """A value without the SDK's proxies, which raise an error at what is not known yet."""
    if isinstance(value, Mapping):
        return {key: _member(value, key) for key in value}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_member(value, index) for index in range(len(value))]
    return value


def _member(holder: Any, key: Any) -> Any:
    try:
        value = holder[key]
    except UnknownValueError:
        return UNKNOWN
    return _plain(value)
