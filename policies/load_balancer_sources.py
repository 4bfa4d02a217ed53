"""What is open to the internet says to whom."""

from collections.abc import Iterator, Sequence
from ipaddress import ip_network
from typing import Any

from daskfleet.settings.cluster import is_everybody
from policies.declared import UNKNOWN, Declared, at, items_of
from policies.rule import NoParameters, Rule, Violation

SERVICES = {"Service": ("spec",), "DaskCluster": ("spec", "scheduler", "service")}
"""Where each kind describes a Service."""

INTERNAL = "networking.gke.io/load-balancer-type"
"""Annotation with which GKE gives a load balancer an address inside of the network."""


def _check(fleet: Sequence[Declared], parameters: NoParameters) -> Iterator[Violation]:
    del parameters
    for resource in fleet:
        place = SERVICES.get(resource.kind) if resource.is_in_kubernetes else None
        if place is None or _is_internal(resource):
            continue
        service = resource.at(*place)
        if at(service, "type") == "LoadBalancer" and (reason := _why_open(service)):
            yield Violation(
                resource=resource,
                message=f"The Service is a LoadBalancer {reason}: Dask runs any code that a client "
                "sends. Name who may come in loadBalancerSourceRanges, or use ClusterIP.",
            )


def _is_internal(resource: Declared) -> bool:
    kind = resource.at("metadata", "annotations", INTERNAL)
    return kind is UNKNOWN or kind == "Internal"


def _why_open(service: Any) -> str:
    ranges = at(service, "loadBalancerSourceRanges")
    if ranges is UNKNOWN:
        return ""
    if not ranges:
        return "without source ranges"
    everybody = [each for each in items_of(ranges) if _is_everybody(str(each))]
    return f"for {', '.join(map(str, everybody))}" if everybody else ""


def _is_everybody(text: str) -> bool:
    try:
        return is_everybody(ip_network(text.strip(), strict=False))
    except ValueError:  # the API server will refuse it
        return False


RULE = Rule(
    name="load-balancer-sources",
    description="No LoadBalancer Service is open to everybody.",
    level="mandatory",
    scope="resource",
    parameters=NoParameters,
    check=_check,
)
