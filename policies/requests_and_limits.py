"""Each container says what it takes: the scheduler places by it, and the node is safe by it."""

from collections.abc import Iterator, Sequence
from typing import Any

from policies.declared import Declared, at
from policies.pods import containers_of
from policies.rule import Parameters, Rule, Violation


class RequestsAndLimitsParameters(Parameters):
    """What each container has to state."""

    requests: tuple[str, ...] = ("cpu", "memory")
    """What it has to request."""

    limits: tuple[str, ...] = ("memory",)
    """What it has to limit. Without cpu: a CPU limit throttles a pod beside idle cores."""

    charts: tuple[str, ...] = ("dask-kubernetes-operator",)
    """Helm charts whose ``values.resources`` are those of their pods."""


def _check(
    fleet: Sequence[Declared], parameters: RequestsAndLimitsParameters
) -> Iterator[Violation]:
    for resource in fleet:
        for container in containers_of(resource):
            stated = at(container.document, "resources")
            if missing := _missing(stated, parameters):
                yield Violation(
                    resource=resource,
                    message=f"{container.described.capitalize()} has no {', no '.join(missing)}.",
                )
        chart = str(resource.at("chart")).rpartition("/")[2]
        if resource.kind == "Release" and chart in parameters.charts:
            stated = resource.at("values", "resources")
            if missing := _missing(stated, parameters):
                yield Violation(
                    resource=resource,
                    message=f"values.resources of chart {chart} have no {', no '.join(missing)}.",
                )


def _missing(stated: Any, parameters: RequestsAndLimitsParameters) -> list[str]:
    wanted = {"requests": parameters.requests, "limits": parameters.limits}
    return [
        f"{key}.{name}"
        for key, names in wanted.items()
        for name in names
        if at(stated, key, name) is None
    ]


RULE = Rule(
    name="requests-and-limits",
    description="Every container states what it requests and its memory limit.",
    level="mandatory",
    scope="resource",
    parameters=RequestsAndLimitsParameters,
    check=_check,
)
