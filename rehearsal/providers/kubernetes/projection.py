"""The live object seen through the inputs: only what the program set, in the program's spelling.

A refresh compares the program's inputs with the live object. What the server, controllers and
operators added is none of the program's business, and `1000m` is the same quantity as `1`;
what somebody changed under the program's feet must show.
"""

from typing import Any

from kubernetes.utils.quantity import parse_quantity

from rehearsal.providers.kubernetes.manifest import Manifest

_QUANTITY_FIELDS = frozenset(
    {
        "capacity", "default", "defaultRequest", "hard", "limits", "max", "maxLimitRequestRatio",
        "min", "overhead", "requests", "sizeLimit",
    }
)  # fmt: skip
"""Fields whose values the server rewrites in canonical form (apimachinery `resource.Quantity`)."""

_WRITE_ONLY_FIELDS = frozenset({"stringData"})
"""Accepted by the server and never returned."""

_SERVER_METADATA = frozenset(
    {
        "creationTimestamp", "deletionGracePeriodSeconds", "deletionTimestamp", "generation",
        "managedFields", "resourceVersion", "selfLink", "uid",
    }
)  # fmt: skip


def project(live: Manifest, *, onto: Manifest) -> Manifest:
    """The part of the live object that the inputs speak about; equal parts stay as written."""
    written = {key: onto[key] for key in _WRITE_ONLY_FIELDS & onto.keys()}
    return {**_project_object(live, onto=onto, quantities=False), **written}


def importable_inputs(live: Manifest) -> Manifest:
    """Inputs for an object that no program described yet: all but status and bookkeeping."""
    inputs = {key: value for key, value in live.items() if key != "status"}
    inputs["metadata"] = without_server_metadata(live["metadata"])
    return inputs


def without_server_metadata(metadata: Manifest) -> Manifest:
    """Metadata that a client may set."""
    return {key: value for key, value in metadata.items() if key not in _SERVER_METADATA}


def _project_object(live: Manifest, *, onto: Manifest, quantities: bool) -> Manifest:
    projected: Manifest = {}
    for key, wanted in onto.items():
        if key in live:
            below = quantities or key in _QUANTITY_FIELDS
            projected[key] = _project_value(live[key], onto=wanted, quantities=below)
        elif wanted in (None, {}, []):
            projected[key] = wanted  # the server drops empty values
    return projected


def _project_value(live: Any, *, onto: Any, quantities: bool) -> Any:
    if isinstance(live, dict) and isinstance(onto, dict):
        return _project_object(live, onto=onto, quantities=quantities)
    if isinstance(live, list) and isinstance(onto, list):
        padded = [*onto, *live[len(onto) :]]
        return [
            _project_value(item, onto=wanted, quantities=quantities)
            for item, wanted in zip(live, padded, strict=False)
        ]
    if quantities and _same_quantity(live, onto):
        return onto
    return live


def _same_quantity(one: Any, other: Any) -> bool:
    try:
        return bool(parse_quantity(one) == parse_quantity(other))
    except ValueError:
        return False
