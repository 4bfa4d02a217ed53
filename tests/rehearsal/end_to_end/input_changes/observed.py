"""What an engine run planned or did, so that two can be compared."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from daskfleet.catalog.changes import Operation
from daskfleet.planning.changes.resource_change import PropertyChange, ResourceChange

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
