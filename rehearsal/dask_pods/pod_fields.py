"""Pure: what the downward API tells a container of its pod and of its own limits."""

import math
import os
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

import psutil
from kubernetes.utils.quantity import parse_quantity

from rehearsal.dask_pods.model import Document, PodPlace

_SUBSCRIPT = re.compile(r"metadata\.(?P<map>labels|annotations)\['(?P<key>[^']+)'\]")

_FIELDS: Mapping[str, Callable[[Document, PodPlace], str]] = {
    "metadata.name": lambda pod, _: pod["metadata"]["name"],
    "metadata.namespace": lambda pod, _: pod["metadata"]["namespace"],
    "metadata.uid": lambda pod, _: pod["metadata"]["uid"],
    "metadata.labels": lambda pod, _: _lines(pod["metadata"].get("labels", {})),
    "metadata.annotations": lambda pod, _: _lines(pod["metadata"].get("annotations", {})),
    "spec.nodeName": lambda pod, _: pod["spec"].get("nodeName", ""),
    "spec.serviceAccountName": lambda pod, _: pod["spec"].get("serviceAccountName", "default"),
    # Where others reach the process; no machine routes the address in the pod's status.
    "status.podIP": lambda _, place: place.address.loopback,
    "status.podIPs": lambda _, place: place.address.loopback,
    "status.hostIP": lambda _, place: place.host_ip,
    "status.hostIPs": lambda _, place: place.host_ip,
}


def pod_field(path: str, pod: Document, place: PodPlace) -> str | None:
    """Give a field of the pod as text, and None for one that the kubelet does not offer."""
    if match := _SUBSCRIPT.fullmatch(path):
        return str(pod["metadata"].get(match["map"], {}).get(match["key"], ""))
    read = _FIELDS.get(path)
    return None if read is None else str(read(pod, place))


def container_resource(reference: Mapping[str, Any], container: Document) -> str:
    """Give ``limits.memory`` and its like in units of the divisor, rounded up as the kubelet does.

    A container without that limit is told what the node has; here that is this machine.
    """
    kind, _, name = reference["resource"].partition(".")
    amounts = container.get("resources", {}).get(kind, {})
    divisor = Decimal(parse_quantity(reference.get("divisor", "0"))) or Decimal(1)
    amount = parse_quantity(amounts[name]) if name in amounts else _whole_machine(name)
    return str(math.ceil(Decimal(amount) / divisor))


def _whole_machine(resource: str) -> Decimal:
    if resource == "cpu":
        return Decimal(os.cpu_count() or 1)
    return Decimal(psutil.virtual_memory().total if resource == "memory" else 0)


def _lines(pairs: Mapping[str, str]) -> str:
    """The downward API's own form: ``key="value"`` per line, sorted, escaped as Go does."""
    return "\n".join(f'{key}="{_escaped(pairs[key])}"' for key in sorted(pairs))


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
