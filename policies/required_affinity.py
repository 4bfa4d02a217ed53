"""Scheduler and workers are bound to their pools, not only drawn to them."""

from collections.abc import Iterator, Sequence
from typing import Any

from daskfleet.contract.nodes import DEDICATED_LABEL, POOL_LABEL
from policies.declared import UNKNOWN, Declared, at, items_of, may_be, may_have
from policies.pods import REQUIRED_AFFINITY, pods_of
from policies.rule import Parameters, Rule, Violation


class RequiredAffinityParameters(Parameters):
    """What counts as naming a pool."""

    labels: tuple[str, ...] = (POOL_LABEL, DEDICATED_LABEL)
    """Labels of nodes, one of which the affinity must ask for."""


def _check(
    fleet: Sequence[Declared], parameters: RequiredAffinityParameters
) -> Iterator[Violation]:
    for resource in fleet:
        for pods in pods_of(resource):
            if pods.part and not _is_bound(pods.spec, parameters.labels):
                yield Violation(
                    resource=resource,
                    message=f"The {pods.part} has no required node affinity for a pool (one of "
                    f"the labels {', '.join(parameters.labels)}). A preferred one lets a worker "
                    "take the scheduler's GPU, and a scheduler keep an A100.",
                )


def _is_bound(spec: Any, labels: Sequence[str]) -> bool:
    selector = at(spec, "nodeSelector")
    if selector is UNKNOWN or any(at(selector, label) is not None for label in labels):
        return True
    terms = at(spec, *REQUIRED_AFFINITY)
    # A pod may run where one term holds: each has to name a pool.
    return may_have(terms, lambda _: True) and all(
        _names_a_pool(term, labels) for term in items_of(terms)
    )


def _names_a_pool(term: Any, labels: Sequence[str]) -> bool:
    return may_have(
        at(term, "matchExpressions"),
        lambda each: (
            may_be(at(each, "operator"), "In")
            and any(may_be(at(each, "key"), label) for label in labels)
        ),
    )


RULE = Rule(
    name="required-affinity",
    description="Scheduler and workers are bound to their pools by required node affinity.",
    level="mandatory",
    scope="resource",
    parameters=RequiredAffinityParameters,
    check=_check,
)
