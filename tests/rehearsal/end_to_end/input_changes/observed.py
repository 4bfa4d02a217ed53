"""What an engine run planned or did, and what a fleet consists of, so that two can be compared."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import kr8s

from catalog.changes import Operation
from planning.changes.resource_change import PropertyChange, ResourceChange
from rehearsal.kubernetes_client import connect_blocking
from rehearsal.report.fleet_state import CLUSTER_LABEL, POOL_LABEL, ROLE_LABEL
from rehearsal.supervisor.record import ClusterRecord

PARTS_OF_URN = 3
"""Prefix, stack and project; then come type and name."""

OPERATIONS: dict[str, Operation] = {
    "create": "create",
    "update": "update",
    "delete": "delete",
    "replace": "replace",
    "create-replacement": "replace",
    "delete-replaced": "replace",
}


def resource_changes(event_log: Path) -> dict[str, ResourceChange]:
    """The changes in the event log of a preview or an update by URN, components left out.

    The engine tells a replacement in up to three steps.
    """
    changes: dict[str, ResourceChange] = {}
    for line in event_log.read_text("utf-8").splitlines():
        metadata = json.loads(line).get("resourcePreEvent", {}).get("metadata", {})
        operation = OPERATIONS.get(metadata.get("op", ""))
        if operation and (metadata.get("provider") or metadata["type"].startswith("pulumi:prov")):
            step = _change(metadata, operation)
            earlier = changes.get(metadata["urn"], step)
            known = dict.fromkeys((*earlier.properties, *step.properties))
            changes[metadata["urn"]] = replace(step, properties=tuple(known))
    return changes


def _change(metadata: dict[str, Any], operation: Operation) -> ResourceChange:
    parent = (metadata.get("new") or metadata.get("old") or {}).get("parent", "").split("::")
    detailed = metadata.get("detailedDiff") or {}
    forcing = {path for path, each in detailed.items() if each["diffKind"].endswith("-replace")}
    paths = (forcing or metadata.get("keys") or ()) if operation == "replace" else detailed
    return ResourceChange(
        type=metadata["type"],
        name=metadata["urn"].split("::")[-1],
        operation=operation,
        parent_type=parent[2].split("$")[-1] if len(parent) > PARTS_OF_URN else "",
        parent=parent[-1] if len(parent) > PARTS_OF_URN else "",
        properties=tuple(PropertyChange(path=path) for path in sorted(paths)),
    )


KeyT = TypeVar("KeyT")
Members = tuple[str, str]
"""A team and ``scheduler`` or ``worker``."""


@dataclass(frozen=True, kw_only=True)
class Fleet:
    """The identities of everything that a change could touch."""

    nodes: dict[str, frozenset[str]]
    """UIDs by pool."""

    dask_pods: dict[Members, frozenset[str]]
    """UIDs by team and role."""

    namespaces: dict[str, frozenset[str]]
    platform: frozenset[str]
    """UIDs of the operator's and the driver installer's pods."""


OPERATOR = ("app.kubernetes.io/name", "dask-kubernetes-operator")
OURS = ("app.kubernetes.io/part-of", "daskfleet")


def see(cluster: ClusterRecord) -> Fleet:
    """Read what is there now, but for what is on its way out."""
    api = connect_blocking(cluster.kubeconfig)

    def staying(kind: str) -> Iterator[dict[str, Any]]:
        for item in api.get(kind, namespace=kr8s.ALL):
            if not isinstance(item, dict) and "deletionTimestamp" not in item.raw["metadata"]:
                yield item.raw["metadata"]

    pods = list(staying("pods"))
    return Fleet(
        nodes=_uids((node["labels"].get(POOL_LABEL), node) for node in staying("nodes")),
        dask_pods=_uids(
            ((pod["namespace"], pod["labels"][ROLE_LABEL]), pod)
            for pod in pods
            if CLUSTER_LABEL in pod.get("labels", {})
        ),
        namespaces=_uids((each["name"], each) for each in staying("namespaces")),
        platform=frozenset(pod["uid"] for pod in pods if _is_platform(pod.get("labels", {}))),
    )


def _is_platform(labels: dict[str, str]) -> bool:
    is_ours = OURS in labels.items() and CLUSTER_LABEL not in labels
    return is_ours or OPERATOR in labels.items()


def _uids(objects: Iterable[tuple[KeyT, dict[str, Any]]]) -> dict[KeyT, frozenset[str]]:
    found: dict[KeyT, set[str]] = defaultdict(set)
    for name, metadata in objects:
        found[name].add(metadata["uid"])
    return {name: frozenset(uids) for name, uids in found.items()}
