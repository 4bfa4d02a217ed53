"""compute.instanceGroupManagers: the groups behind node pools, where clients read sizes."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from rehearsal.emulator.document import last_segment
from rehearsal.emulator.network_spec import not_found
from rehearsal.emulator.not_emulated import refuse_filter
from rehearsal.emulator.world import fingerprint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rehearsal.emulator.calls import Call, Handlers
    from rehearsal.emulator.document import Document
    from rehearsal.emulator.world import Pool, World


_ACTIONS = (
    "abandoning", "creating", "creatingWithoutRetries", "deleting", "none", "recreating",
    "refreshing", "restarting", "resuming", "starting", "stopping", "suspending", "verifying",
)  # fmt: skip
_ONE: Document = {"calculated": 1, "fixed": 1}
_ALWAYS: Document = {
    "kind": "compute#instanceGroupManager",
    "instanceLifecyclePolicy": {
        "defaultActionOnFailure": "REPAIR",
        "forceUpdateOnRepair": "YES",
        "onFailedHealthCheck": "DEFAULT_ACTION",
    },
    "listManagedInstancesResults": "PAGINATED",
    "satisfiesPzs": True,
    "standbyPolicy": {"mode": "MANUAL"},
    "targetSizePolicy": {"mode": "INDIVIDUAL"},
    "targetStoppedSize": 0,
    "targetSuspendedSize": 0,
    "updatePolicy": {
        "maxSurge": _ONE,
        "maxUnavailable": _ONE,
        "minReadySec": 0,
        "minimalAction": "REPLACE",
        "replacementMethod": "SUBSTITUTE",
        "type": "OPPORTUNISTIC",
    },
}
"""Of each group that GKE made, in all 24 answers of Google's in ``bench/recordings``."""


def _document(pool: Pool, zone: str) -> Document:
    """Return a group with the fields that those answers have.

    One is lacking: ``serviceAccount``, which Google's documents of the API do not know.
    """
    target = pool.target.get(zone, 0)
    present = len(pool.instances.get(zone, ()))
    link = pool.group_url(zone)
    kind = fingerprint(pool.document["config"], pool.document["version"])
    template = f"{link.split('/zones/')[0]}/global/instanceTemplates/{pool.base_name(zone)}-{kind}"
    actions = {
        "none": min(target, present),
        "creating": max(0, target - present),
        "deleting": max(0, present - target),
    }
    is_stable = target == present
    return {
        **_ALWAYS,
        "id": str(int(fingerprint(link) + fingerprint(pool.created), 16) >> 1),
        "name": last_segment(link),
        "creationTimestamp": pool.created,
        "fingerprint": base64.b64encode(fingerprint(template, target).encode()).decode(),
        "selfLink": link,
        "zone": link.split("/instanceGroupManagers/")[0],
        "baseInstanceName": pool.base_name(zone),
        "instanceGroup": link.replace("instanceGroupManagers", "instanceGroups"),
        "instanceTemplate": template,
        "versions": [{"instanceTemplate": template, "targetSize": {"calculated": target}}],
        "targetSize": target,
        "currentActions": dict.fromkeys(_ACTIONS, 0) | actions,
        "status": {
            "allInstancesConfig": {"effective": True},
            "isStable": is_stable,
            "stateful": {
                "hasStatefulConfig": False,
                "isStateful": False,
                "perInstanceConfigs": {"allEffective": True},
            },
            "versionTarget": {"isReached": is_stable},
        },
    }


class InstanceGroups:
    """Managed instance groups, read only: the container API owns them."""

    def __init__(self, *, world: World) -> None:
        self._world = world

    def handlers(self) -> Handlers:
        """Return the handlers by Google's method ids."""
        return {
            "compute.instanceGroupManagers.get": self.get,
            "compute.instanceGroupManagers.list": self.list,
        }

    def _groups(self, call: Call) -> Iterator[Document]:
        for cluster in self._world.project(call["project"]).clusters.values():
            for pool in cluster.pools.values():
                if call["zone"] in pool.target:
                    yield _document(pool, call["zone"])

    async def get(self, call: Call) -> Document:
        """Return one group."""
        for group in self._groups(call):
            if group["name"] == call["instanceGroupManager"]:
                return group
        name = call["instanceGroupManager"]
        raise not_found(call["project"], f"zones/{call['zone']}/instanceGroupManagers/{name}")

    async def list(self, call: Call) -> Document:
        """Return a zone's groups, all on one page."""
        refuse_filter(call.query, what="instance group managers")
        return {
            "kind": "compute#instanceGroupManagerList",
            "items": list(self._groups(call)),
        }
