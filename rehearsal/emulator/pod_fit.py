"""Whether a pod may and can run on a node: the scheduler's hard rules that autoscaling needs.

Selectors, required node affinity, taints and resources. Topology spread, pod affinity and volumes
are not looked at.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from kubernetes.utils.quantity import parse_quantity

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rehearsal.emulator.document import Document

Resources = dict[str, Decimal]
"""Amounts by resource name, in base units (CPUs, bytes, GPUs, pods)."""


def amounts(quantities: Mapping[str, str]) -> Resources:
    """Return Kubernetes quantities as numbers."""
    return {name: parse_quantity(quantity) for name, quantity in quantities.items()}


def add(total: Resources, more: Resources) -> None:
    """Add ``more`` to ``total``."""
    for name, amount in more.items():
        total[name] = total.get(name, Decimal(0)) + amount


def take(free: Resources, wanted: Resources) -> None:
    """Take ``wanted`` from ``free``; below zero where it was not free."""
    add(free, {name: -amount for name, amount in wanted.items()})


def requests(pod_spec: Document) -> Resources:
    """Return what the scheduler sets aside: containers summed, or the largest init container."""
    total: Resources = {}
    for container in pod_spec.get("containers", ()):
        add(total, amounts(_requested(container)))
    for container in pod_spec.get("initContainers", ()):
        for name, amount in amounts(_requested(container)).items():
            total[name] = max(total.get(name, Decimal(0)), amount)
    add(total, amounts(pod_spec.get("overhead", {})))
    total["pods"] = Decimal(1)
    return total


def _requested(container: Document) -> Mapping[str, str]:
    resources = container.get("resources", {})
    return {**resources.get("limits", {}), **resources.get("requests", {})}


def fits(wanted: Resources, free: Resources) -> bool:
    """Tell whether ``free`` covers all that is ``wanted``."""
    return not missing(wanted, free)


def allows(pod_spec: Document, *, labels: Mapping[str, str], taints: Sequence[Document]) -> bool:
    """Tell whether selectors, required affinity and taints let the pod onto such a node."""
    return selects(pod_spec, labels) and untolerated(pod_spec, taints) is None


def selects(pod_spec: Document, labels: Mapping[str, str]) -> bool:
    """Tell whether selectors and required affinity let the pod onto a node with these labels."""
    selector = pod_spec.get("nodeSelector") or {}
    if any(labels.get(key) != value for key, value in selector.items()):
        return False
    affinity = (pod_spec.get("affinity") or {}).get("nodeAffinity") or {}
    required = affinity.get("requiredDuringSchedulingIgnoredDuringExecution")
    return required is None or any(
        _term_matches(term, labels) for term in required["nodeSelectorTerms"]
    )


def untolerated(pod_spec: Document, taints: Sequence[Document]) -> Document | None:
    """Return the first taint that keeps the pod away, if one does."""
    tolerations = pod_spec.get("tolerations") or ()
    return next(
        (
            taint
            for taint in taints
            if taint["effect"] != "PreferNoSchedule"
            and not any(_tolerates(toleration, taint) for toleration in tolerations)
        ),
        None,
    )


def missing(wanted: Resources, free: Resources) -> list[str]:
    """Return the names of what is ``wanted`` and not ``free``."""
    return [
        name for name, amount in wanted.items() if amount and amount > free.get(name, Decimal(0))
    ]


def _term_matches(term: Document, labels: Mapping[str, str]) -> bool:
    expressions = term.get("matchExpressions", ())
    # matchFields names one existing node, never a machine that is still to come.
    if term.get("matchFields") or not expressions:
        return False
    return all(_expression_matches(expression, labels) for expression in expressions)


def _expression_matches(expression: Document, labels: Mapping[str, str]) -> bool:
    value = labels.get(expression["key"])
    values = expression.get("values", [])
    match expression["operator"]:
        case "In":
            return value in values
        case "NotIn":
            return value not in values
        case "Exists":
            return value is not None
        case "DoesNotExist":
            return value is None
        case "Gt":
            return value is not None and int(value) > int(values[0])
        case "Lt":
            return value is not None and int(value) < int(values[0])
        case operator:
            raise ValueError(f"node selector operator {operator!r} is not a Kubernetes operator")


def _tolerates(toleration: Document, taint: Document) -> bool:
    if toleration.get("effect") not in (None, "", taint["effect"]):
        return False
    key = toleration.get("key")
    if not key:
        return bool(toleration.get("operator") == "Exists")
    if key != taint["key"]:
        return False
    if toleration.get("operator", "Equal") == "Exists":
        return True
    return bool(toleration.get("value", "") == taint.get("value", ""))
