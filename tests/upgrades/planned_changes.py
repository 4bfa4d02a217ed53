"""What the engine says that it changes, resource by resource, from its event log."""

import json
from dataclasses import dataclass
from pathlib import Path

UNCHANGED = {"same", "read", "refresh"}
LOSES = {"replace", "create-replacement", "delete-replaced", "delete"}
"""Operations after which something that ran does not run any more."""

PRECIOUS = {
    "gcp:container/cluster:Cluster",
    "gcp:container/nodePool:NodePool",
    "kubernetes:kubernetes.dask.org/v1:DaskCluster",
    "kubernetes:core/v1:Namespace",
}
"""What no upgrade may replace or delete."""


@dataclass(frozen=True, kw_only=True)
class PlannedChange:
    """A step of the engine on one resource."""

    operation: str
    type: str
    name: str
    properties: tuple[str, ...]
    """Paths of the inputs and outputs that differ, where the provider tells."""

    @property
    def loses_something_precious(self) -> bool:
        """Whether this is what nobody may be surprised by."""
        return self.type in PRECIOUS and self.operation in LOSES


def planned_changes(event_log: Path) -> list[PlannedChange]:
    """Return what a preview or an update did to resources other than the stack itself."""
    events = map(json.loads, event_log.read_text(encoding="utf-8").splitlines())
    steps = [
        event["resourcePreEvent"]["metadata"] for event in events if "resourcePreEvent" in event
    ]
    return [
        PlannedChange(
            operation=step["op"],
            type=step["type"],
            name=step["urn"].split("::")[-1],
            properties=tuple(sorted(step.get("detailedDiff") or step.get("diffs") or ())),
        )
        for step in steps
        if step["op"] not in UNCHANGED and step["type"] != "pulumi:pulumi:Stack"
    ]
