"""Pure: a pod's QoS class, for a status that the API server has not classed yet."""

from collections.abc import Mapping
from typing import Any

from kubernetes.utils.quantity import parse_quantity

from rehearsal.dask_pods.model import Document

_CLASSING = ("cpu", "memory")
"""Other resources, GPUs among them, do not class a pod."""


def quality_of_service(pod: Document) -> str:
    """Guaranteed where limits and requests are all there and the same, BestEffort where none is."""
    amounts = [
        container.get("resources", {})
        for container in (*pod["spec"]["containers"], *pod["spec"].get("initContainers", ()))
    ]
    if all(_is_guaranteed(amount) for amount in amounts):
        return "Guaranteed"
    any_asked = any(
        name in amount.get(kind, {})
        for amount in amounts
        for kind in ("limits", "requests")
        for name in _CLASSING
    )
    return "Burstable" if any_asked else "BestEffort"


def _is_guaranteed(amount: Mapping[str, Any]) -> bool:
    limits: Mapping[str, str] = amount.get("limits", {})
    # What is limited and not requested is requested in full.
    requests: Mapping[str, str] = {**limits, **amount.get("requests", {})}
    return all(
        name in limits and parse_quantity(limits[name]) == parse_quantity(requests[name])
        for name in _CLASSING
    )
